package core

import (
	"gatehouse/parse/doc"
)

// ParseError says why a file, or a part of it, could not be read.
type ParseError struct {
	Line, Col int // from 1; 0 if unknown
	Text      string
	Minor     bool // only a part of the value is missing
}

func (e *ParseError) Error() string { return e.Text }

// IsSerious reports whether an error makes the readable part of a file worthless.
func IsSerious(err error) bool {
	e, ok := err.(*ParseError)
	return err != nil && !(ok && e.Minor)
}

// Document is a Markdown file with its frontmatter.
type Document struct {
	Text  string
	Front *doc.Tree // nil without frontmatter
	Body  int       // offset of the text below it
	lines doc.LineCounter
}

// ParseDocument splits a file. Frontmatter without an end is an error: the file is being written. A syntax error within the value
// of one of the keys is a minor error.
func ParseDocument(text string, keys ...string) (d Document, err error) {
	d = Document{Text: text}
	parts := doc.SplitFrontmatter(text)
	d.Body = parts.Body
	if parts.Unclosed {
		return d, &ParseError{Line: 1, Text: "the frontmatter has no closing ---"}
	}
	if !parts.Exists {
		return d, nil
	}
	d.Front = doc.ParseYAML(text, parts.Block, parts.BlockEnd)
	for _, problem := range d.Front.Problems {
		for _, key := range keys {
			v := d.Value(key)
			if d.Front.Root().Is(doc.Unsupported) || v.Exists() && problem.At > doc.LastIndex(text[:v.KeyOffset()], "\n") && problem.At <= v.End() {
				return d, &ParseError{Line: d.lineAt(problem.At), Text: "the frontmatter is not YAML: " + problem.Text, Minor: true}
			}
		}
	}
	return d, nil
}

// Value returns a value of the frontmatter.
func (d *Document) Value(keys ...string) doc.Value { return d.Front.Root().Get(keys...) }

// Field returns the text of a scalar in the frontmatter, "" for null and for anything else. A value that is not YAML, such as an
// unquoted text with a colon, is the rest of its line, as GSD reads it.
func (d *Document) Field(keys ...string) string { return d.scalar(d.Value(keys...)) }

func (d *Document) scalar(v doc.Value) string {
	if !v.Is(doc.Unsupported) {
		return v.Scalar()
	}
	_, rest, _ := doc.Cut(d.Text[v.KeyOffset():], ":")
	value, _, _ := doc.Cut(rest, "\n")
	return unquote(doc.Trim(value))
}

// Line returns the line of a value in the frontmatter, 0 without one.
func (d *Document) Line(keys ...string) int {
	v := d.Value(keys...)
	if !v.Exists() {
		return 0
	}
	return d.lineAt(v.Offset())
}

func (d *Document) lineAt(at int) int {
	d.lines.Text = d.Text
	return d.lines.Line(at)
}

// Lines iterates over the lines below the frontmatter.
func (d *Document) Lines() func(yield func(doc.Line) bool) {
	return doc.Lines(d.Text, d.Body, len(d.Text))
}

// Texts returns the texts of a list, or a text alone.
func (d *Document) Texts(key string) (all []string) {
	for element := range listOf(d.Value(key)) {
		if text := d.scalar(element); text != "" {
			all = append(all, text)
		}
	}
	return all
}

// firstText returns the first visible text among the keys of an object; a scalar is its own text.
func (d *Document) firstText(v doc.Value, keys ...string) string {
	if text := d.scalar(v); isVisible(text) {
		return text
	}
	for _, key := range keys {
		if text := d.scalar(v.Get(key)); isVisible(text) {
			return text
		}
	}
	return ""
}

// rawValue returns a value of the frontmatter as GSD reads it: unquoted, with a comment after it. The last one counts.
func rawValue(text, key string) (value string) {
	block, _, _ := splitFrontmatter(cutPrefix(text, doc.ByteOrderMark))
	for k, v := range scalars(block) {
		if k == key {
			value = v
		}
	}
	return value
}

// saysWord reports whether the frontmatter has a word under a key to both GSD, which keeps a comment in the word, and YAML.
func (d *Document) saysWord(key, word string) bool {
	return equalFold(trimSpace(rawValue(d.Text, key)), word) && equalFold(d.Field(key), word)
}

// findMisreading returns an error if GSD and YAML disagree on whether the frontmatter has a word under a key.
func (d *Document) findMisreading(key, word string) error {
	if raw := trimSpace(rawValue(d.Text, key)); equalFold(raw, word) != equalFold(d.Field(key), word) {
		return &ParseError{Line: max(d.Line(key), 1), Text: "GSD reads " + key + " as “" + raw + "”; write “" + key + ": " + word + "” without a comment", Minor: true}
	}
	return nil
}

// isUnread reports whether the value of a frontmatter key can't be read.
func (d *Document) isUnread(key string) bool {
	return d.Front != nil && (d.Front.Root().Is(doc.Unsupported) || d.Value(key).Is(doc.Unsupported))
}

// limitEntries returns the first entries of a list of a file, and an error if there are more.
func limitEntries[T any](all []T, most int, noun string, err error) ([]T, error) {
	if len(all) <= most {
		return all, err
	}
	if err == nil {
		err = &ParseError{Line: 1, Text: "more than " + formatNumber(most) + " " + noun + "; the rest is ignored", Minor: true}
	}
	return all[:most:most], err
}

// SaysNothing reports whether a text is one of the words for nothing: "None yet.", "_N/A_", "None — milestone
// completed".
func SaysNothing(text string) bool {
	s := cutAny(doc.Lower(text), " — ", " – ", " - ", ";", ",")
	return isOneOf(trim(s, " *_.()[]!"), "", "-", "—", "none", "none yet", "none at the moment", "none currently", "none known", "no blockers", "no blockers yet",
		"no open blockers", "n/a", "na", "nothing", "nothing yet", "nothing at the moment")
}
