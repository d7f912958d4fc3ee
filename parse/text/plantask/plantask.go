// Package plantask finds the <task> blocks of a PLAN.md, which GSD and ultraplan write alike. They look like XML and are
// none: shell commands and generics stand in them unescaped, and tags that agents forget to close. So this is a grammar of
// its own: a block begins with a tag at the start of a line, and one bad block never costs the others.
package plantask

import "strings"

// Block is one <task> of a plan.
type Block struct {
	Tag   string // the whole tag, "<task type=\"auto\">"
	Inner string // what stands between it and the end of the block
	Line  int    // of the tag
	At    int    // offset of the tag in the body
	Open  bool   // its closing tag is missing
}

// Blocks returns the task blocks of a plan's body, whose first line has the number first. A block ends at its closing tag,
// at the next task, or with the text; a fence that a task forgot to close ends with it. A <task> inside fenced code is an
// example and no block: outside of any task, and within an <action> that is still open.
func Blocks(body string, first int) []Block {
	var blocks []Block
	line, from := first, 0
	fences := 0    // met outside of tasks; within a pair nothing is a task
	hidden := 0    // where a comment ends that began on a line of its own outside of tasks; within it nothing is a task
	nested := true // actions are closed, so that examples within them can be told
	open, tag, ok := nextTask(body, 0)
	for ok {
		line += strings.Count(body[from:open], "\n")
		fences += strings.Count("\n"+body[from:open], "\n```")
		start := open + len(tag)
		if fences%2 == 0 {
			hidden = max(hidden, commentEnd(body, from, open))
		}
		if fences%2 == 1 || open < hidden {
			from = start // what follows it is outside of any task
		} else {
			end, closed := start, false
			if nested {
				end, closed = blockEnd(body, start)
				nested = closed
			}
			if !closed {
				end = nextEnd(body, start)
			}
			blocks = append(blocks, Block{Tag: tag, Inner: body[start:end], Line: line, At: open, Open: !strings.HasPrefix(body[end:], "</task>")})
			fences, from = 0, end
		}
		line += strings.Count(body[open:from], "\n")
		open, tag, ok = nextTask(body, from)
	}
	return blocks
}

// commentEnd returns where a comment ends that begins at the start of a line between two offsets and reaches beyond them, 0
// without one. One that is never closed hides nothing.
func commentEnd(body string, from, to int) int {
	at := strings.LastIndex(body[from:to], "<!--")
	if at < 0 || strings.Contains(body[from+at:to], "-->") {
		return 0
	}
	at += from
	if strings.TrimLeft(body[strings.LastIndexByte(body[:at], '\n')+1:at], " \t") != "" {
		return 0
	}
	return to + max(0, strings.Index(body[to:], "-->"))
}

// nextEnd returns where a block ends that begins at an offset: at the first closing tag, the next task, or the text's end.
func nextEnd(body string, start int) int {
	end := len(body)
	if next, _, more := nextTask(body, start); more {
		end = next
	}
	if i := strings.Index(body[start:end], "</task>"); i >= 0 {
		end = start + i
	}
	return end
}

// blockEnd is nextEnd where tags in the fenced code of an open <action> are examples. ok is false when that leads to the
// end of the text: then an action was never closed.
func blockEnd(body string, start int) (end int, ok bool) {
	fenced, actions := false, 0
	at := start
	for l := range strings.Lines(body[start:]) {
		t := strings.TrimLeft(l, " \t")
		if strings.HasPrefix(t, "```") {
			fenced = !fenced
		}
		if _, _, isTask := nextTask(l, 0); isTask && at > start && !(fenced && actions > 0) {
			return at + len(l) - len(t), true
		}
		if i := strings.Index(l, "</task>"); i >= 0 && actions+strings.Count(l[:i], "<action>")-strings.Count(l[:i], "</action>") <= 0 {
			return at + i, true
		}
		actions = max(0, actions+strings.Count(l, "<action>")-strings.Count(l, "</action>"))
		at += len(l)
	}
	return len(body), actions == 0
}

// maxTag is the longest tag of a task: real ones are below 100 bytes.
const maxTag = 1024

// nextTask returns where the next <task …> tag that begins a line is, and the tag.
func nextTask(s string, from int) (at int, tag string, ok bool) {
	for {
		i := strings.Index(s[from:], "<task")
		if i < 0 {
			return 0, "", false
		}
		i += from
		from = i + len("<task")
		if from >= len(s) || !strings.ContainsRune(" >\t\r\n", rune(s[from])) {
			continue
		}
		start := i
		for start > 0 && (s[start-1] == ' ' || s[start-1] == '\t') {
			start--
		}
		end := strings.IndexByte(s[i:min(i+maxTag, len(s))], '>')
		if start > 0 && s[start-1] != '\n' || end < 0 {
			continue
		}
		return i, s[i : i+end+1], true
	}
}

// Element returns the trimmed text between <name> and </name> wherever they first stand, "" without them.
func Element(s, name string) string {
	_, rest, ok := strings.Cut(s, "<"+name+">")
	if !ok {
		return ""
	}
	text, _, ok := strings.Cut(rest, "</"+name+">")
	if !ok {
		return ""
	}
	return strings.TrimSpace(text)
}

// Children returns the trimmed texts of the elements named that stand in a block directly, not within one another: the
// <name> of an <option> is none of the task's. Of several of one name the first counts; one that is never closed is none.
func Children(inner string, names ...string) map[string]string {
	found := map[string]string{}
	unclosed := map[string]bool{}
	for {
		open := strings.IndexByte(inner, '<')
		if open < 0 {
			return found
		}
		inner = inner[open+1:]
		for _, name := range names {
			rest, ok := strings.CutPrefix(inner, name+">")
			if !ok || unclosed[name] {
				continue
			}
			text, after, closed := strings.Cut(rest, "</"+name+">")
			if !closed {
				unclosed[name] = true
				continue
			}
			if _, twice := found[name]; !twice {
				found[name] = strings.TrimSpace(text)
			}
			inner = after
			break
		}
	}
}

// Attribute returns the value of an attribute of a tag, in either quotes, "" without it.
func Attribute(tag, name string) string {
	_, rest, ok := strings.Cut(tag, " "+name+"=")
	if !ok || rest == "" || (rest[0] != '"' && rest[0] != '\'') {
		return ""
	}
	value, _, _ := strings.Cut(rest[1:], rest[:1])
	return value
}

// Number returns the number that a task's name begins with, "2" of "Task 02: Build", "2.1" of "Task 2.1: Mend", without
// leading zeros; rest is the name behind the colon, trimmed. ok is false for a name of another form: the colon has to be
// there.
func Number(name string) (number, rest string, ok bool) {
	after, ok := strings.CutPrefix(name, "Task ")
	if !ok {
		return "", name, false
	}
	number, rest, ok = strings.Cut(strings.TrimLeft(after, " "), ":")
	if !ok || number == "" || strings.Trim(number, "0123456789.") != "" || number[0] == '.' || strings.Contains(number, "..") {
		return "", name, false
	}
	parts := strings.Split(strings.TrimSuffix(number, "."), ".")
	for i, part := range parts {
		if parts[i] = strings.TrimLeft(part, "0"); parts[i] == "" {
			parts[i] = "0"
		}
	}
	return strings.Join(parts, "."), strings.TrimSpace(rest), true
}
