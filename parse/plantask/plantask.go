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
}

// Blocks returns the task blocks of a plan's body, whose first line has the number first. A block ends at its closing tag,
// at the next task, or with the text; a fence that a task forgot to close ends with it. A <task> inside fenced code
// outside any task is an example and no block.
func Blocks(body string, first int) []Block {
	var blocks []Block
	line, from := first, 0
	fences := 0 // met outside of tasks; within a pair nothing is a task
	open, tag, ok := nextTask(body, 0)
	for ok {
		line += strings.Count(body[from:open], "\n")
		fences += strings.Count("\n"+body[from:open], "\n```")
		start := open + len(tag)
		next, nextTag, more := nextTask(body, start)
		inner := body[start:]
		if more {
			inner = body[start:next]
		}
		if i := strings.Index(inner, "</task>"); i >= 0 {
			inner = inner[:i]
		}
		if fences%2 == 1 {
			inner = "" // an example: what follows it is outside of any task
		} else {
			blocks = append(blocks, Block{Tag: tag, Inner: inner, Line: line, At: open})
			fences = 0
		}
		from = start + len(inner)
		line += strings.Count(body[open:from], "\n")
		open, tag, ok = next, nextTag, more
	}
	return blocks
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
