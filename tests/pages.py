"""An HTML page as a test sees it."""

import html.parser


class Page(html.parser.HTMLParser):
    """Open tags, and what a page would fetch."""

    def __init__(self):
        super().__init__()
        self.open, self.seen, self.fetches = [], [], []

    def handle_starttag(self, tag, attrs):
        self.seen.append((tag, dict(attrs)))
        if tag not in ("meta", "link", "img", "br"):
            self.open.append(tag)
        self.fetches += [v for k, v in attrs if k in ("src", "href", "xlink:href") and v and not v.startswith("#")]

    def handle_startendtag(self, tag, attrs):
        self.seen.append((tag, dict(attrs)))
        self.fetches += [v for k, v in attrs if k in ("src", "href", "xlink:href") and v and not v.startswith("#")]

    def handle_endtag(self, tag):
        assert self.open.pop() == tag
