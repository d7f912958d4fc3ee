package tui

// What every pane needs to draw: colours, glyphs and the time. And the few ways in which things are put into words.

import (
	"strconv"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
)

// look is how things are drawn at present. It is replaced as a whole when one of its parts changes.
type look struct {
	theme  *theme
	glyphs *glyphs
	now    time.Time
}

// age returns how long ago something was: "14m".
func (l *look) age(at time.Time) string { return model.Age(l.now.Sub(at)) }

// ago returns the same in words: "14m ago", "just now", and "" for a time that is not known.
func (l *look) ago(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	if age := l.age(at); age != "now" {
		return age + " ago"
	}
	return "just now"
}

// join joins the parts that are not empty. None of them can pass for several.
func join(separator string, parts ...string) string {
	kept := make([]string, 0, len(parts))
	for _, p := range parts {
		if p != "" {
			kept = append(kept, line.Composed(p, changeJoint))
		}
	}
	return strings.Join(kept, separator)
}

func itoa(n int) string { return strconv.Itoa(n) }

// counted returns a number with its noun: "1 problem", "2 problems".
func counted(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return itoa(n) + " " + noun
}

// bytesOf returns a size for people, in units of 1024 bytes: "512 B", "3.4 KiB", "12 MiB".
func bytesOf(n int64) string {
	const unit = 1024
	if n < unit {
		return strconv.FormatInt(n, 10) + " B"
	}
	size, units := float64(n)/unit, "KMGTPE"
	for size >= unit && len(units) > 1 {
		size, units = size/unit, units[1:]
	}
	decimals := 0
	if size < 10 {
		decimals = 1
	}
	return strconv.FormatFloat(size, 'f', decimals, 64) + " " + units[:1] + "iB"
}

// noBuild is said of a project that has none.
const noBuild = "no build here"
