package doc

// Task is a <task> block of a plan.
type Task struct {
	At    int    // offset of the tag
	Tag   string // the whole tag: `<task type="auto">`
	Inner string // the text between the tag and the end of the block
	Open  bool   // the closing tag is missing
}

// ParseTasks returns the task blocks of text[from:to], the body of a plan. They look like XML but contain unescaped commands,
// and agents forget closing tags. So a block begins with a tag at the start of a line. It ends at its closing tag, at the next task
// or with the text. A broken block never affects the others.
//
// A <task> within a comment or fenced code is an example, not a block; so is one in the fenced code of an <action>.
func ParseTasks(text string, from, to int) []Task {
	var tasks []Task
	text = text[:to]
	s := taskScanner{text: text, actionsClose: true}
	at, tag := nextTask(text, from)
	for at >= 0 {
		start := at + len(tag)
		if s.isExample(from, at) {
			from = start
		} else {
			from = s.blockEnd(start)
			tasks = append(tasks, Task{At: at, Tag: tag, Inner: text[start:from], Open: !HasPrefix(text[from:], closingTask)})
			s.fenced = false
		}
		at, tag = nextTask(text, from)
	}
	return tasks
}

const closingTask = "</task>"

type taskScanner struct {
	text         string
	fenced       bool // fenced code is open before the next task
	hidden       int  // offset of the end of the last comment that hides tasks
	actionsClose bool // all actions so far have a closing tag, so examples can be told from tasks
}

// isExample reports whether the tag at an offset is within fenced code or a comment that began behind offset from.
func (s *taskScanner) isExample(from, at int) bool {
	lineStart := true
	for i := from; i < at; i++ {
		if lineStart && HasPrefix(s.text[i:at], "```") {
			s.fenced = !s.fenced
		}
		lineStart = s.text[i] == '\n'
	}
	if !s.fenced && at >= s.hidden {
		s.hidden = s.commentEnd(from, at)
	}
	return s.fenced || at < s.hidden
}

// commentEnd returns where a comment ends that begins at the start of a line between two offsets and reaches beyond them, 0
// without one. An unclosed comment hides nothing.
func (s *taskScanner) commentEnd(from, to int) int {
	i := lastIndex(s.text[from:to], "<!--")
	if i < 0 || Contains(s.text[from+i:to], "-->") {
		return 0
	}
	start := from + i
	for start > 0 && (s.text[start-1] == ' ' || s.text[start-1] == '\t') {
		start--
	}
	if start > 0 && s.text[start-1] != '\n' {
		return 0
	}
	return to + max(0, Index(s.text[to:], "-->"))
}

// blockEnd returns where the block ends whose inner text begins at an offset.
func (s *taskScanner) blockEnd(start int) int {
	if s.actionsClose {
		end, closed := s.blockEndByActions(start)
		if s.actionsClose = closed; closed {
			return end
		}
	}
	end := len(s.text)
	if next, _ := nextTask(s.text, start); next >= 0 {
		end = next
	}
	if i := Index(s.text[start:end], closingTask); i >= 0 {
		end = start + i
	}
	return end
}

// blockEndByActions returns where a block ends if tags in the fenced code of an open <action> are examples. closed is false if
// that leads to the end of the text, because an action is not closed.
func (s *taskScanner) blockEndByActions(start int) (end int, closed bool) {
	fenced, actions := false, 0
	for at := start; at < len(s.text); {
		line := s.text[at:lineAfter(s.text, at)]
		blanks := indentOf(line)
		if HasPrefix(line[blanks:], "```") {
			fenced = !fenced
		}
		if next, _ := nextTask(line, 0); next >= 0 && at > start && !(fenced && actions > 0) {
			return at + blanks, true
		}
		if i := Index(line, closingTask); i >= 0 && actions+openActions(line[:i]) <= 0 {
			return at + i, true
		}
		actions = max(0, actions+openActions(line))
		at += len(line)
	}
	return len(s.text), actions == 0
}

// openActions returns how many more actions begin than end on a line.
func openActions(line string) int { return count(line, "<action>") - count(line, "</action>") }

// maxTag is the longest tag of a task. Real ones have less than 100 bytes.
const maxTag = 1024

// nextTask returns the next <task …> tag that begins a line, and its offset, -1 without one.
func nextTask(text string, from int) (at int, tag string) {
	for {
		i := Index(text[from:], "<task")
		if i < 0 {
			return -1, ""
		}
		i += from
		from = i + len("<task")
		start := i
		for start > 0 && (text[start-1] == ' ' || text[start-1] == '\t') {
			start--
		}
		if from == len(text) || text[from] != '>' && !isBlank(text[from]) || start > 0 && text[start-1] != '\n' {
			continue
		}
		if end := Index(text[i:min(i+maxTag, len(text))], ">"); end >= 0 {
			return i, text[i : i+end+1]
		}
	}
}

// FindElement returns the trimmed text between the first <name> and the </name> behind it, "" without them.
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
	children := map[string]string{}
	unclosed := map[string]bool{}
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
			if unclosed[name] = !closed; !closed {
				continue
			}
			if _, twice := children[name]; !twice {
				children[name] = Trim(text)
			}
			inner = after
			break
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
// "Task 2.1: Fix", and the trimmed name behind the colon. ok is false for other names.
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
		n := countDigits(digits)
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
