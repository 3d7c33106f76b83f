"""Published claims, one a file."""
