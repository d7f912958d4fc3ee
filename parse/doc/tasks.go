package doc

// Task is a <task> block of a plan.
type Task struct {
	At    int    // offset of the tag
	Line  int    // of the tag, from 1, in the whole text
	Tag   string // the whole tag: `<task type="auto">`
	Inner string // the text between the tag and the end of the block
	Open  bool   // the closing tag is missing
}

// ParseTasks returns the task blocks of text[from:to], the body of a plan. They look like XML but contain unescaped commands,
// and agents forget closing tags. So a block begins with a tag at the start of a line. It ends at its closing tag, at the next
// task or with the text. Tags within fenced code or a comment are examples.
func ParseTasks(text string, from, to int) []Task {
	var tasks []Task
	s := newLineScanner(text[:to], from)
	s.number += countParts(text[:from], "\n")
	hides := false // the open comment begins a line, so it is not part of a sentence
	for s.at < to {
		l := s.next()
		if !l.Comment {
			hides = HasPrefix(l.Text[indentOf(l.Text):], "<!--")
		}
		at := l.At + indentOf(l.Text)
		tag := parseTaskTag(s.text[at:])
		if tag == "" || l.Code || l.Comment && hides {
			continue
		}
		start := at + len(tag)
		end := taskEnd(s.text, start, true)
		tasks = append(tasks, Task{At: at, Line: l.Number, Tag: tag, Inner: s.text[start:end], Open: !HasPrefix(s.text[end:], closingTask)})
		s.number = l.Number + countParts(text[l.At:end], "\n")
		s.at, s.fence, s.comment = end, "", false
	}
	return tasks
}

const (
	closingTask = "</task>"
	// maxTag limits the tag of a task. Real ones have less than 100 bytes.
	maxTag = 1024
)

// parseTaskTag returns the <task …> tag that a text begins with, "" without one.
func parseTaskTag(text string) string {
	text = text[:min(len(text), maxTag)]
	if end := Index(text, ">"); HasPrefix(text, "<task") && end >= 0 && (text[5] == '>' || isBlank(text[5])) {
		return text[:end+1]
	}
	return ""
}

// taskEnd returns the end of the inner text of a block that begins at an offset. A fence of code that is never closed hides nothing.
func taskEnd(text string, start int, hasFences bool) int {
	isFenced := false
	for at := start; at < len(text); at = lineAfter(text, at) {
		line := text[at:lineAfter(text, at)]
		indent := indentOf(line)
		isFenced = isFenced != (hasFences && HasPrefix(line[indent:], "```"))
		if i := Index(line, closingTask); i >= 0 && !isFenced {
			return at + i
		}
		if at > start && !isFenced && parseTaskTag(line[indent:]) != "" {
			return at + indent
		}
	}
	if isFenced {
		return taskEnd(text, start, false)
	}
	return len(text)
}

// FindElement returns the trimmed text between the first <name> and the </name> after it, "" without them.
func FindElement(text, name string) string {
	_, rest, _ := Cut(text, "<"+name+">")
	inner, _, ok := Cut(rest, "</"+name+">")
	if !ok {
		return ""
	}
	return Trim(inner)
}

// FindChildren returns the trimmed texts of the named elements directly within a block, not within one another: the <name> of
// an <option> does not belong to the task. The first element of a name counts; an unclosed one does not.
func FindChildren(inner string, names ...string) map[string]string {
	children, unclosed := map[string]string{}, map[string]bool{}
	for {
		_, rest, ok := Cut(inner, "<")
		if !ok {
			return children
		}
		inner = rest
		for _, name := range names {
			if unclosed[name] || !HasPrefix(inner, name+">") {
				continue
			}
			text, after, closed := Cut(inner[len(name)+1:], "</"+name+">")
			if unclosed[name] = !closed; closed {
				if _, twice := children[name]; !twice {
					children[name] = Trim(text)
				}
				inner = after
				break
			}
		}
	}
}

// ParseAttribute returns the value of an attribute of a tag, in either quotation marks, "" without it.
func ParseAttribute(tag, name string) string {
	_, rest, _ := Cut(tag, " "+name+"=")
	if rest == "" || rest[0] != '"' && rest[0] != '\'' {
		return ""
	}
	value, _, _ := Cut(rest[1:], rest[:1])
	return value
}

// ParseTaskNumber returns the number in the name of a task without leading zeros, "2" of "Task 02: Build" or "2.1" of
// "Task 2.1: Fix", and the trimmed name after the colon. ok is false for other names.
func ParseTaskNumber(name string) (number, rest string, ok bool) {
	if !HasPrefix(name, "Task ") {
		return "", name, false
	}
	text := name[len("Task "):]
	digits, rest, ok := Cut(text[countLeading(text, ' '):], ":")
	if !ok || digits == "" || digits[0] == '.' || Contains(digits, "..") {
		return "", name, false
	}
	for digits != "" {
		n := CountDigits(digits)
		if n == 0 || n < len(digits) && digits[n] != '.' {
			return "", name, false
		}
		zeros := min(countLeading(digits, '0'), n-1)
		if number != "" {
			number += "."
		}
		number += digits[zeros:n]
		digits = digits[min(n+1, len(digits)):]
	}
	return number, Trim(rest), true
}
