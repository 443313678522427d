"""The CAPTCHA classes, one file each, in one folder per family."""
