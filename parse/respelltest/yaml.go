package respelltest

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// AnchoredKey is a key that some variations add to a YAML mapping: its value has the anchor of an alias.
const AnchoredKey = "anchored"

// YAML returns variations of a YAML document whose top is a block mapping. With a path they spell the value there in other ways, and all
// other lines stay as they are. Without a path they spell the whole document in other ways. The steps of a path are keys, and the
// numbers of list elements from "0"; its last step is a key. Each variation decodes to the same value, apart from [AnchoredKey].
//
// YAML returns nil if the text is not YAML, or has nothing at the path, or has it in a flow mapping. A spelling that the value
// cannot have, such as quotes around a number, is left out.
func YAML(text string, path ...string) []Variation {
	var doc yaml.Node
	if yaml.Unmarshal([]byte(text), &doc) != nil || len(doc.Content) != 1 || doc.Content[0].Kind != yaml.MappingNode {
		return nil
	}
	var all []Variation
	if len(path) == 0 {
		all = respellDocument(text, doc.Content[0])
	} else if e := findEntry(text, doc.Content[0], path); e != nil {
		all = e.respell()
	}
	want, seen := decodeYAML(text), map[string]bool{text: true}
	return slices.DeleteFunc(all, func(v Variation) bool {
		drop := seen[v.Text] || !reflect.DeepEqual(decodeYAML(v.Text), want)
		seen[v.Text] = true
		return drop
	})
}

// Frontmatter returns variations of a text that begins with YAML between lines of "---", like [YAML].
func Frontmatter(text string, path ...string) []Variation {
	const mark = "---\n"
	inner, opened := strings.CutPrefix(text, mark)
	end := strings.Index("\n"+inner, "\n"+mark)
	if !opened || end < 0 {
		return nil
	}
	var all []Variation
	for _, v := range YAML(inner[:end], path...) {
		switch v.Name {
		case "CRLF": // in the whole file
			v.Text = strings.ReplaceAll(text, "\n", "\r\n")
		case "BOM":
			v.Text = BOM + text
		default:
			v.Text = mark + strings.TrimSuffix(v.Text, "\n") + "\n" + inner[end:]
		}
		all = append(all, v)
	}
	return all
}

// Paths returns the paths of all entries of block mappings in a YAML document, in its order.
func Paths(text string) (all [][]string) {
	var doc yaml.Node
	if yaml.Unmarshal([]byte(text), &doc) != nil || len(doc.Content) != 1 {
		return nil
	}
	var walk func(n *yaml.Node, path []string)
	walk = func(n *yaml.Node, path []string) {
		for i := range n.Content {
			switch {
			case n.Style&yaml.FlowStyle != 0:
			case n.Kind == yaml.SequenceNode:
				walk(n.Content[i], append(slices.Clip(path), strconv.Itoa(i)))
			case n.Kind == yaml.MappingNode && i%2 == 1:
				inner := append(slices.Clip(path), n.Content[i-1].Value)
				all = append(all, inner)
				walk(n.Content[i], inner)
			}
		}
	}
	walk(doc.Content[0], nil)
	return all
}

// decodeYAML returns the value of a document without what an alias needs; an error is a value of its own.
func decodeYAML(text string) any {
	var value any
	if err := yaml.Unmarshal([]byte(text), &value); err != nil {
		return err.Error()
	}
	return withoutAnchored(value)
}

func withoutAnchored(value any) any {
	switch v := value.(type) {
	case map[string]any:
		delete(v, AnchoredKey)
		for key := range v {
			v[key] = withoutAnchored(v[key])
		}
	case []any:
		for i := range v {
			v[i] = withoutAnchored(v[i])
		}
	}
	return value
}

// entry is a key and its value in a block mapping, with the lines that they take.
type entry struct {
	lines      []string // of the document
	start, end int      // the lines of the entry
	prefix     string   // before the key: blanks, or "- "
	key, value *yaml.Node
}

// findEntry finds the entry at a path; nil if there is none, or a flow mapping has it.
func findEntry(text string, n *yaml.Node, path []string) *entry {
	for i, step := range path {
		if n.Style&yaml.FlowStyle != 0 {
			return nil
		}
		if n.Kind == yaml.SequenceNode {
			at, err := strconv.Atoi(step)
			if err != nil || at >= len(n.Content) {
				return nil
			}
			n = n.Content[at]
			continue
		}
		at := -1
		for k := 0; n.Kind == yaml.MappingNode && k < len(n.Content); k += 2 {
			if n.Content[k].Value == step {
				at = k
			}
		}
		if at < 0 {
			return nil
		}
		if i < len(path)-1 {
			n = n.Content[at+1]
			continue
		}
		e := &entry{lines: strings.Split(text, "\n"), key: n.Content[at], value: n.Content[at+1]}
		e.start = e.key.Line - 1
		e.prefix = e.lines[e.start][:e.key.Column-1]
		e.end = e.start + 1
		for k := e.end; k < len(e.lines) && e.continues(e.lines[k]); k++ {
			if strings.TrimSpace(e.lines[k]) != "" {
				e.end = k + 1
			}
		}
		return e
	}
	return nil
}

// continues reports whether a line below the key belongs to the value: it is indented, or an element of a list that is not.
func (e *entry) continues(line string) bool {
	rest := strings.TrimLeft(line, " ")
	indent := len(line) - len(rest)
	return rest == "" || indent > len(e.prefix) || indent == len(e.prefix) && e.value.Kind == yaml.SequenceNode && (strings.HasPrefix(rest, "- ") || rest == "-")
}

// with returns the document with other lines for the entry. The first gets the prefix, the others the margin of the key.
func (e *entry) with(lines ...string) string {
	margin := strings.Repeat(" ", len(e.prefix))
	for i := range lines {
		if i == 0 {
			lines[i] = e.prefix + lines[i]
		} else {
			lines[i] = margin + lines[i]
		}
	}
	return strings.Join(slices.Concat(e.lines[:e.start], lines, e.lines[e.end:]), "\n")
}

// respell returns variations of the entry.
func (e *entry) respell() []Variation {
	key := e.key.Value
	if strings.ContainsAny(key, "\n:#\"'") {
		return nil
	}
	var all []Variation
	add := func(name string, lines ...string) { all = append(all, Variation{name, e.with(lines...)}) }
	// head is the part of the value on the line of its key, body the lines below.
	head, body := spellBlock(e.value, "  ")
	entry := func(name, key, separator, properties string) {
		first := strings.TrimRight(key+separator+properties+head, " ")
		add(name, append([]string{first}, body...)...)
	}
	entry("plain", key, ": ", "")
	entry("double-quoted key", strconv.Quote(key), ": ", "")
	entry("single-quoted key", "'"+key+"'", ": ", "")
	entry("escape in a quoted key", escapeYAML(key, 'x'), ": ", "")
	entry("blank before the colon", key, " : ", "")
	entry("blanks after the colon", key, ":    ", "")
	entry("anchor", key, ": ", "&a1 ")
	entry("tag", key, ": ", e.value.ShortTag()+" ")
	entry("anchor and tag", key, ": ", "&a1 "+e.value.ShortTag()+" ")
	entry("explicit key", "? "+key+"\n"+strings.Repeat(" ", len(e.prefix))+":", " ", "")
	add("alias", append(append([]string{strings.TrimRight(AnchoredKey+": &a1 "+head, " ")}, body...), key+": *a1")...)
	add("comment after the value", append([]string{strings.TrimRight(key+": "+head, " ") + "  # a comment"}, body...)...)
	add("trailing blanks", append([]string{key + ": " + head + "   "}, body...)...)
	switch e.value.Kind {
	case yaml.ScalarNode:
		if head != "" {
			add("value on the next line", key+":", "  "+head)
			add("value on the next line, after a comment", key+":  # a comment", "      "+head)
		}
		if e.value.ShortTag() == "!!str" {
			e.respellText(add)
		}
	case yaml.SequenceNode, yaml.MappingNode:
		for _, indent := range []struct{ name, blanks string }{{"block", "  "}, {"wider indent", "      "}, {"one blank of indent", " "}} {
			_, lines := spellBlock(e.value, indent.blanks)
			add(indent.name, append([]string{key + ":"}, lines...)...)
		}
		add("flow", key+": "+spellFlow(e.value, ", ", false))
		add("flow without blanks", key+": "+strings.ReplaceAll(spellFlow(e.value, ",", false), "\n", " "))
		add("flow over several lines", strings.Split(key+": "+spellFlow(e.value, ",\n    ", false), "\n")...)
		add("flow on the next line", key+":", "  "+spellFlow(e.value, ", ", false))
		add("flow of quoted values", key+": "+spellFlow(e.value, ", ", true))
		e.respellMembers(add)
	}
	return all
}

// respellText adds variations of a value that is a text.
func (e *entry) respellText(add func(name string, lines ...string)) {
	key, value := e.key.Value, e.value.Value
	add("double-quoted value", key+": "+strconv.Quote(value))
	add("single-quoted value", key+": '"+strings.ReplaceAll(value, "'", "''")+"'")
	add("escape in a quoted value", key+": "+escapeYAML(value, 'x'))
	add("unicode escape in a quoted value", key+": "+escapeYAML(value, 'u'))
	add("quoted value with a comment", key+": "+strconv.Quote(value)+" # a comment")
	add("quoted value on the next line", key+":", "  "+strconv.Quote(value))
	lines := strings.Split(value, "\n")
	for i := range lines {
		lines[i] = "  " + lines[i]
	}
	add("literal scalar", append([]string{key + ": |-"}, lines...)...)
	add("folded scalar", append([]string{key + ": >-"}, lines...)...)
	add("literal scalar with a comment", append([]string{key + ": |- # a comment"}, lines...)...)
	if before, after, found := strings.Cut(value, " "); found && !strings.HasPrefix(after, " ") {
		add("wrapped value", key+": "+before, "  "+after)
		add("wrapped folded scalar", key+": >-", "  "+before, "  "+after)
		quoted := strconv.Quote(value)
		before, after, _ = strings.Cut(quoted, " ")
		add("wrapped quoted value", key+": "+before, "  "+after)
	}
}

// respellMembers adds variations of a value that is a list or a mapping.
func (e *entry) respellMembers(add func(name string, lines ...string)) {
	key, n := e.key.Value, e.value
	if n.Kind == yaml.MappingNode {
		_, lines := spellBlock(reversed(n), "  ")
		add("reversed keys", append([]string{key + ":"}, lines...)...)
		return
	}
	_, lines := spellBlock(n, "")
	add("list without indent", append([]string{key + ":"}, lines...)...)
	if len(n.Content) == 0 || n.Content[0].Kind != yaml.ScalarNode {
		return
	}
	items, _ := spellBlock(n.Content[0], "")
	aliased := *n
	aliased.Content = append([]*yaml.Node{{Kind: yaml.AliasNode, Value: "a1"}}, n.Content[1:]...)
	add("alias in a flow list", AnchoredKey+": &a1 "+items, key+": "+spellFlow(&aliased, ", ", false))
	_, lines = spellBlock(&aliased, "  ")
	add("alias in a block list", append([]string{AnchoredKey + ": &a1 " + items, key + ":"}, lines...)...)
	add("trailing comma", key+": "+strings.TrimSuffix(spellFlow(n, ", ", false), "]")+",]")
}

// respellDocument returns variations of a whole document.
func respellDocument(text string, n *yaml.Node) []Variation {
	render := func(n *yaml.Node, indent string) string { return strings.Join(blockLines(n, indent), "\n") + "\n" }
	lines := strings.SplitAfter(text, "\n")
	each := func(prefix, suffix string) string {
		var b strings.Builder
		for _, line := range lines {
			if content := strings.TrimSuffix(line, "\n"); content != "" {
				line = prefix + content + suffix + line[len(content):]
			}
			b.WriteString(line)
		}
		return b.String()
	}
	quoted := *n
	quoted.Content = slices.Clone(n.Content)
	for i := 0; i < len(quoted.Content); i += 2 {
		key := *quoted.Content[i]
		key.Style = yaml.DoubleQuotedStyle
		quoted.Content[i] = &key
	}
	return []Variation{
		{"block", render(n, "  ")},
		{"wider indent", render(n, "     ")},
		{"lists without indent", render(n, "")},
		{"reversed keys", render(reversed(n), "  ")},
		{"quoted keys", render(&quoted, "  ")},
		{"flow mapping", spellFlow(n, ", ", false) + "\n"},
		{"flow mapping over several lines", spellFlow(n, ",\n  ", false) + "\n"},
		{"flow mapping of quoted values", spellFlow(n, ", ", true) + "\n"},
		{"indented", each("  ", "")},
		{"trailing blanks", each("", "  ")},
		{"comments after lines", each("", "  # a comment")},
		{"comment lines", strings.ReplaceAll("# a comment\n"+text, "\n", "\n# a comment\n")},
		{"blank lines", "\n" + strings.ReplaceAll(text, "\n", "\n\n")},
		{"CRLF", strings.ReplaceAll(text, "\n", "\r\n")},
		{"BOM", BOM + text},
	}
}

// reversed returns a mapping with its entries in reverse order.
func reversed(n *yaml.Node) *yaml.Node {
	r := *n
	r.Content = nil
	for i := len(n.Content) - 2; i >= 0; i -= 2 {
		r.Content = append(r.Content, n.Content[i], n.Content[i+1])
	}
	return &r
}

// spellBlock returns a value in block style: what follows the key on its line, and the lines below.
func spellBlock(n *yaml.Node, indent string) (head string, body []string) {
	switch {
	case n.Kind == yaml.AliasNode:
		return "*" + n.Value, nil
	case n.Kind == yaml.ScalarNode:
		return spellScalar(n, "", false), nil
	case len(n.Content) == 0:
		return spellFlow(n, "", false), nil
	}
	if indent == "" && n.Kind == yaml.MappingNode {
		indent = "  "
	}
	for _, line := range blockLines(n, indent) {
		body = append(body, indent+line)
	}
	return "", body
}

// blockLines returns the lines of a list or a mapping in block style.
func blockLines(n *yaml.Node, indent string) (lines []string) {
	for i := 0; i < len(n.Content); i++ {
		start := "-"
		if n.Kind == yaml.MappingNode {
			start = spellScalar(n.Content[i], "", false) + ":"
			i++
		} else if item := n.Content[i]; item.Kind == yaml.MappingNode && len(item.Content) > 0 {
			for k, line := range blockLines(item, indent) {
				lines = append(lines, map[bool]string{true: "- ", false: "  "}[k == 0]+line)
			}
			continue
		}
		if n.Kind == yaml.SequenceNode && n.Content[i].Kind == yaml.SequenceNode { // a list in a list
			lines = append(lines, "- "+spellFlow(n.Content[i], ", ", false))
			continue
		}
		head, body := spellBlock(n.Content[i], indent)
		lines = append(append(lines, strings.TrimRight(start+" "+head, " ")), body...)
	}
	return lines
}

// spellFlow returns a value in flow style.
func spellFlow(n *yaml.Node, comma string, quoted bool) string {
	if n.Kind == yaml.AliasNode {
		return "*" + n.Value
	}
	if n.Kind == yaml.ScalarNode {
		return spellScalar(n, "[]", quoted)
	}
	var items []string
	for i := 0; i < len(n.Content); i++ {
		item := ""
		if n.Kind == yaml.MappingNode {
			item = spellScalar(n.Content[i], "[]", quoted) + ": "
			i++
		}
		items = append(items, item+spellFlow(n.Content[i], strings.TrimRight(comma, "\n ")+" ", quoted))
	}
	inner := strings.Join(items, comma)
	if strings.Contains(comma, "\n") {
		inner = comma[1:] + inner + "\n  "
	}
	if n.Kind == yaml.MappingNode {
		return "{" + inner + "}"
	}
	return "[" + inner + "]"
}

// spellScalar returns a scalar as plain text if that means the same, else in double quotes. Within brackets fewer texts are plain.
func spellScalar(n *yaml.Node, brackets string, quoted bool) string {
	text := n.ShortTag() == "!!str"
	if !text {
		if n.Value == "" && brackets != "" {
			return "null"
		}
		return n.Value
	}
	var got []any
	source := "[" + n.Value + "]"
	if brackets == "" {
		source = "- " + n.Value
	}
	if !quoted && n.Style&yaml.DoubleQuotedStyle == 0 && yaml.Unmarshal([]byte(source), &got) == nil && len(got) == 1 && got[0] == n.Value && !strings.Contains(n.Value, ": ") {
		return n.Value
	}
	return strconv.Quote(n.Value)
}

// escapeYAML returns a text in double quotes, with its first character as an escape: 'x' or 'u'.
func escapeYAML(text string, kind byte) string {
	quoted := strconv.Quote(text)
	if len(quoted) < 3 || quoted[1] == '\\' || quoted[1] >= 0x80 {
		return quoted
	}
	return fmt.Sprintf(`"\%c%0*x%s`, kind, map[byte]int{'x': 2, 'u': 4}[kind], quoted[1], quoted[2:])
}
