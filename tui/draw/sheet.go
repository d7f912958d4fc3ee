package draw

// A page in a window that scrolls over it.

// Rest has lines that are made as they come into view: a page may continue with a megabyte of text.
type Rest interface {
	Len() int
	Line(l *Look, i int) string
}

// Sheet shows a page.
type Sheet struct {
	Lines  []string
	Rest   Rest // the lines below the page, nil for none
	Top    int
	Height int // of the window, as of the last Fit
}

// Len returns how many lines there are.
func (s *Sheet) Len() int {
	if s.Rest == nil {
		return len(s.Lines)
	}
	return len(s.Lines) + s.Rest.Len()
}

// Scroll moves the window by some lines as far as there are any.
func (s *Sheet) Scroll(by int) { s.Top = max(0, min(s.Top+by, s.Len()-s.Height)) }

// Press scrolls by a key, and reports whether the key scrolls.
func (s *Sheet) Press(key string) bool {
	page := max(s.Height-1, 1)
	by, ok := map[string]int{"j": 1, "down": 1, "k": -1, "up": -1, "ctrl+d": max(page/2, 1), "ctrl+u": -max(page/2, 1), "pgdown": page, "space": page,
		"pgup": -page, "g": -FarAway, "home": -FarAway, "G": FarAway, "end": FarAway}[key]
	if ok {
		s.Scroll(by)
	}
	return ok
}

// Fit sets the height of the window.
func (s *Sheet) Fit(height int) {
	s.Height = height
	s.Scroll(0)
}

// Render draws the window. The page was laid out for two columns less, one on each side.
func (s *Sheet) Render(l *Look, width, height int, _ bool) []string {
	lines := make([]string, 0, height)
	for i := s.Top; i < len(s.Lines) && len(lines) < height; i++ {
		lines = append(lines, " "+s.Lines[i]+" ")
	}
	for i := max(s.Top, len(s.Lines)); i < s.Len() && len(lines) < height; i++ {
		lines = append(lines, " "+s.Rest.Line(l, i-len(s.Lines))+" ")
	}
	return Filled(lines, width, height)
}

// Note says that there is more above or below, for the edge of a box.
func (s *Sheet) Note(l *Look) string { return MoreNote(l, s.Top, s.Height, s.Len()) }
