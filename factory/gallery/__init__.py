"""The visual debug gallery: a run as pages to look at.

``RunFolder`` reads what lies on disk, ``choose`` picks a sample of it, the views
(``Survey``, ``Shown`` ...) say what a page holds, and ``Pages`` renders them. Only
``export`` knows about files: a server can ask the same views and pages for its answers.
"""
