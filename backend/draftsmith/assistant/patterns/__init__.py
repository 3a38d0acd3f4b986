"""Architecture patterns and anti-patterns: read from files, searched by words, turned into operations."""
