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
// task or with the text. Tags within fenced code, a comment or a closed <action> are examples.
func ParseTasks(text string, from, to int) []Task {
	var tasks []Task
	s := taskScanner{lineScanner: newLineScanner(text[:to], from), actionsClose: true}
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
		end := s.blockEnd(start)
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

type taskScanner struct {
	lineScanner
	actionsClose bool // all actions so far have a closing tag, so examples differ from tasks
}

// parseTaskTag returns the <task …> tag that a text begins with, "" without one.
func parseTaskTag(text string) string {
	text = text[:min(len(text), maxTag)]
	if end := Index(text, ">"); HasPrefix(text, "<task") && end >= 0 && (text[5] == '>' || isBlank(text[5])) {
		return text[:end+1]
	}
	return ""
}

// blockEnd returns the end of the inner text of a block that begins at an offset.
func (s *taskScanner) blockEnd(start int) int {
	first, last := -1, -1 // closing tags so far, all of them within an action
	actions, fenced := 0, false
	for at := start; at < len(s.text); at = lineAfter(s.text, at) {
		line := s.text[at:lineAfter(s.text, at)]
		indent := indentOf(line)
		if HasPrefix(line[indent:], "```") {
			fenced = !fenced
		}
		if at > start && parseTaskTag(line[indent:]) != "" && (!fenced || actions == 0 || !s.actionsClose) {
			if last >= 0 {
				return last
			}
			return at + indent
		}
		if i := Index(line, closingTask); i >= 0 {
			if last = at + i; actions+openActions(line[:i]) <= 0 || !s.actionsClose {
				return last
			}
			if first < 0 {
				first = last
			}
		}
		actions = max(0, actions+openActions(line))
	}
	if actions == 0 || first < 0 {
		return len(s.text)
	}
	s.actionsClose = false // an action has no end, so the actions are no guide
	return first
}

// openActions returns how many more actions begin than end in a text.
func openActions(text string) int {
	return countParts(text, "<action>") - countParts(text, "</action>")
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
