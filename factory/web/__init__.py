"""Pages painted by Chromium: backdrops, panel chrome and the bank that stores both."""
