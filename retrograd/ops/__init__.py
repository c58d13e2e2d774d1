"""Every op, one topic per file; each op stands whole: shape rule, kernel, gradient, record, public function."""
