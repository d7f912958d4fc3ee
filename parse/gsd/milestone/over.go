package milestone

import "gatehouse/parse/text/scan"

// Over reports whether a phase, by its number, is of a milestone that is over: its directory was put into an archive and
// phases/ has none of that number, or ROADMAP.md has it in the range of a milestone that it calls over, and in that of no
// other. dirs are the names of the directories in phases/, archived those in the archives.
func Over(phase, roadmap string, dirs, archived []string) bool {
	id := normal(phase[CodeLen(phase):])
	number, end := scan.Digits(id, 0)
	if number == "" {
		return false
	}
	over := has(archived, id) && !has(dirs, id)
	for line := range unfenced(roadmap) {
		if first, last, ok := rangeIn(line); ok && ofVersion(line) && decimals(id, end) == len(id) && within(number, first, last) {
			if !closed(line) && !checkedOff(line) {
				return false
			}
			over = true
		}
	}
	return over
}

// Number returns the number that the name of a phase's directory begins with, behind a project's code; "" without one.
func Number(dir string) string {
	var numbers Scope
	return numbers.leadingNumber(dir[CodeLen(dir):])
}

// Same reports whether two numbers are those of the same phase, behind a project's code or not, with zeros before it or not.
func Same(a, b string) bool { return normal(a[CodeLen(a):]) == normal(b[CodeLen(b):]) }

// has reports whether one of the directories is that of a phase.
func has(dirs []string, id string) bool {
	for _, dir := range dirs {
		if normal(Number(dir)) == id {
			return true
		}
	}
	return false
}

// ofVersion reports whether a line is about a milestone: a heading, a list item or a summary with a version in it.
func ofVersion(line string) bool {
	if !hasVersion(line) {
		return false
	}
	line = line[scan.SkipBlanks(line, 0):]
	switch first(line) {
	case '#', '-', '*', '<':
		return true
	}
	return false
}

// checkedOff reports whether a line is a list item with a checked box.
func checkedOff(line string) bool {
	line = line[scan.SkipBlanks(line, 0):]
	return (hasPrefix(line, "- [") || hasPrefix(line, "* [")) && (at(line, 3) == 'x' || at(line, 3) == 'X') && at(line, 4) == ']'
}

// rangeIn returns the phases of a milestone, "Phases 3-7" or "Phases 1–8.9", in whole numbers; last is "" for "Phases 8+".
func rangeIn(line string) (first, last string, ok bool) {
	for i := indexFold(line, "phase"); i >= 0; {
		rest := line[i+len("phase"):]
		if lowerByte(at(rest, 0)) == 's' {
			rest = rest[1:]
		}
		from := scan.SkipBlanks(rest, 0)
		digits, end := scan.Digits(rest, from)
		if from > 0 && digits != "" && at(rest, end) != '.' && !isLetter(at(rest, end)) {
			if at(rest, end) == '+' {
				return digits, "", true
			}
			behind := rest[scan.SkipBlanks(rest, end):]
			for _, dash := range [...]string{"–", "—", "-", "to "} {
				if hasPrefix(behind, dash) {
					if last, _ := scan.Digits(behind, scan.SkipBlanks(behind, len(dash))); last != "" {
						return digits, last, true
					}
				}
			}
			return digits, digits, true
		}
		next := indexFold(rest, "phase")
		if next < 0 {
			break
		}
		line, i = rest, next
	}
	return "", "", false
}

// within reports whether a number lies in a range; last is "" where it has no end.
func within(number, first, last string) bool {
	return !less(number, first) && (last == "" || !less(last, number))
}

// less compares whole numbers of any length.
func less(a, b string) bool {
	a, b = trimZeros(a), trimZeros(b)
	return len(a) < len(b) || len(a) == len(b) && a < b
}

// IsArchive reports whether a directory of milestones/ holds the phases of one that is over, by its name: "v1.2-phases", or
// "pre-v25-phases" for all from before.
func IsArchive(name string) bool {
	const suffix = "-phases"
	if !hasSuffix(name, suffix) {
		return false
	}
	version := name[:len(name)-len(suffix)]
	return hasPrefix(version, "pre-v") || version != "" && ownVersion(version) == version
}
