// Package config reads the user's configuration: one YAML file of optional settings. A table of [Setting]s lists them.
//
// A setting that can't be used is a [Mistake], with its line and the fix. The rest of the file applies.
package config

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gatehouse/parse/disk/peek"
	"gatehouse/parse/doc"
)

// Kind is the type of a setting.
type Kind uint8

const (
	Text  Kind = iota // one text
	Texts             // a list of texts; a single text stands for a list of one
)

// Setting is a row of the table: one setting.
type Setting struct {
	// Name is the name in the file. In a section, it starts with the name of the section and a dot: "keys.quit".
	Name string
	Kind Kind
	// Words describe the setting.
	Words string
	// Default applies if the file does not set it.
	Default []string
	// Example is a value for messages, "" for none.
	Example string
	// Values are the only texts allowed; nil if Check decides.
	Values []string
	// Check returns the problem of a text; nil allows any text. It is not called if there are Values.
	Check func(text string) error
	// Unique settings must not share a text.
	Unique bool
}

// Section returns the section of the setting, "" without one, and its name there.
func (s *Setting) Section() (section, name string) {
	if section, name, ok := strings.Cut(s.Name, "."); ok {
		return section, name
	}
	return "", s.Name
}

// Value is the value of a setting.
type Value struct {
	Texts []string
	Line  int // in the file; 0 for the default
}

// Mistake is a problem in the file.
type Mistake struct {
	Line int    `json:"line,omitempty"` // 0 for the file as a whole
	Text string `json:"text"`           // the problem
	Mend string `json:"mend,omitempty"` // what to write instead
}

// Config holds the settings of a file.
type Config struct {
	File     string // "" if the user has no directory for it
	Found    bool   // whether the file exists
	Mistakes []Mistake
	settings []Setting
	lines    doc.LineIndex
	values   map[string]Value
}

// sizeLimit is the maximum size of the file. A file with every setting has a few KiB.
const sizeLimit = 256 << 10

// Read reads a file by a table of settings. A missing file sets nothing.
func Read(file string, settings []Setting) *Config {
	c := &Config{File: file, settings: settings, values: map[string]Value{}}
	if file == "" {
		return c
	}
	// Links are followed: many users keep such files elsewhere.
	text, cut, err := peek.ReadFile(file, "", sizeLimit)
	switch {
	case err != nil && peek.Missing(err):
		return c
	case err != nil:
		c.addMistake(0, err.Error(), "make it a file that you may read")
		return c
	case cut:
		c.addMistake(0, fmt.Sprintf("it is larger than %d KiB", sizeLimit>>10), "keep nothing but settings in it")
		return c
	}
	c.Found = true
	c.parseText(text)
	return c
}

// parseText reads the settings of a text.
func (c *Config) parseText(text string) {
	tree := doc.ParseYAML(text, 0, len(text))
	c.lines = doc.IndexLines(text)
	for _, p := range tree.Problems {
		c.addMistake(c.lineOf(p.At), p.Text, p.Fix)
	}
	root := tree.Root()
	if !root.Is(doc.Map) {
		if !root.IsEmpty() && len(tree.Problems) == 0 {
			c.addMistake(1, "this is not one list of settings", `write each as "name: value"`)
		}
		return
	}
	c.readSettings(root)
	c.findUnknown(root, "")
	for _, section := range c.sections() {
		v := root.Get(section)
		if !v.IsEmpty() && !v.Is(doc.Map) && !v.Is(doc.Unsupported) {
			c.addMistake(c.lineOf(v.Offset()), section+": this is "+v.Kind().String(), "write the settings below it, each as \"name: value\"")
		}
		c.findUnknown(v, section)
	}
	slices.SortStableFunc(c.Mistakes, func(a, b Mistake) int { return a.Line - b.Line })
}

// sections returns the names of the sections.
func (c *Config) sections() (all []string) {
	for i := range c.settings {
		if section, _ := c.settings[i].Section(); section != "" && !slices.Contains(all, section) {
			all = append(all, section)
		}
	}
	return all
}

// lineOf returns the line of an offset.
func (c *Config) lineOf(at int) int {
	line, _ := c.lines.Position(at)
	return line
}

func (c *Config) addMistake(line int, text, mend string) {
	c.Mistakes = append(c.Mistakes, Mistake{line, text, mend})
}

// readSettings reads the settings that are in the table. A value that can't be parsed was reported before.
func (c *Config) readSettings(root doc.Value) {
	taken := map[string]int{} // the line of each text of a setting that is Unique
	for i := range c.settings {
		s := &c.settings[i]
		section, name := s.Section()
		v := root.Get(name)
		if section != "" {
			v = root.Get(section, name)
		}
		if v.IsEmpty() || v.Is(doc.Unsupported) {
			continue
		}
		line := c.lineOf(v.Offset())
		texts, err := s.readTexts(v)
		if err != nil {
			c.addMistake(line, s.Name+": "+err.Error(), s.mend())
			continue
		}
		own := []string{}
		for _, text := range texts {
			if before := taken[text]; s.Unique && before != 0 {
				c.addMistake(line, fmt.Sprintf("%s: %s is set at line %d already", s.Name, text, before), "choose another one here or there")
				continue
			} else if s.Unique {
				taken[text] = line
			}
			own = append(own, text)
		}
		if len(own) > 0 || len(texts) == 0 {
			c.values[s.Name] = Value{own, line}
		}
	}
}

// readTexts returns the texts of a value, or why they can't be used.
func (s *Setting) readTexts(v doc.Value) (texts []string, err error) {
	switch {
	case v.Is(doc.List) && s.Kind == Texts:
		for item := range v.Elements() {
			texts = append(texts, item.Scalar())
		}
	case v.Is(doc.List) || v.Is(doc.Map):
		return nil, errors.New("this is " + v.Kind().String())
	default:
		texts = []string{v.Scalar()}
	}
	for _, text := range texts {
		switch {
		case text == "":
			return nil, errors.New("an item of the list is not text")
		case s.Values != nil && !slices.Contains(s.Values, text):
			return nil, fmt.Errorf("there is no %s", strconv.Quote(text))
		case s.Values == nil && s.Check != nil:
			if err := s.Check(text); err != nil {
				return nil, err
			}
		}
	}
	return texts, nil
}

// shape returns what the value of a setting is, with an example.
func (s *Setting) shape() string {
	shape := "a text"
	switch {
	case s.Values != nil && s.Kind == Texts:
		shape = "some of " + strings.Join(s.Values, ", ")
	case s.Values != nil:
		shape = "one of " + strings.Join(s.Values, ", ")
	case s.Kind == Texts:
		shape = "a text or a list of texts"
	}
	if example := s.example(); example != "" {
		shape += ", like " + example
	}
	return shape
}

// example returns a right line of the file, "" for a setting of few values.
func (s *Setting) example() string {
	switch _, name := s.Section(); {
	case s.Example != "":
		return name + ": " + s.Example
	case s.Values == nil && len(s.Default) > 0:
		return fmt.Sprintf("%s: [%s]", name, strings.Join(s.Default, ", "))
	}
	return ""
}

// mend returns the fix for a wrong value.
func (s *Setting) mend() string {
	if example := s.example(); example != "" {
		return "write it like " + example
	}
	return "write " + s.shape()
}

// Describe returns what the setting is for, its values, and its default.
func (s *Setting) Describe() string {
	text := s.Words + "; " + s.shape()
	if len(s.Default) > 0 {
		text += ". Default: " + strings.Join(s.Default, " ")
	}
	return text
}

// findUnknown reports the keys of a section, "" for the file, that are not settings.
func (c *Config) findUnknown(in doc.Value, section string) {
	var known []string
	for i := range c.settings {
		if of, name := c.settings[i].Section(); of == section {
			known = append(known, name)
		}
	}
	if section == "" {
		known = append(known, c.sections()...)
	}
	for v := range in.Members() {
		if slices.Contains(known, v.Key()) {
			continue
		}
		mend := "take it out; gatehouse config lists all"
		if near := nearest(v.Key(), known); near != "" {
			mend = "did you mean " + near + "?"
		}
		c.addMistake(c.lineOf(v.KeyOffset()), strings.TrimPrefix(section+"."+v.Key(), ".")+": there is no such setting", mend)
	}
}

// nearest returns the name that a mistyped one is meant to be, "" if none is similar.
func nearest(typed string, names []string) (best string) {
	least := 3 // fewer letters than this may differ
	for _, name := range names {
		if d := editDistance(typed, name); d < least && d < max(len(name)-1, 1) {
			best, least = name, d
		}
	}
	return best
}

// editDistance returns how many letters have to be inserted, deleted or changed to turn one word into the other.
func editDistance(a, b string) int {
	if len(a) > 64 {
		return len(a) // no name is that long
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := before
			if a[i] != b[j] {
				change++
			}
			before = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

// Settings returns the table.
func (c *Config) Settings() []Setting { return c.settings }

// Set returns a value from the file; ok is false if the file does not set it.
func (c *Config) Set(name string) (v Value, ok bool) {
	v, ok = c.values[name]
	return v, ok
}

// Texts returns the value of a setting, or its default.
func (c *Config) Texts(name string) []string {
	if v, ok := c.values[name]; ok {
		return v.Texts
	}
	for i := range c.settings {
		if c.settings[i].Name == name {
			return c.settings[i].Default
		}
	}
	return nil
}

// Text returns the value of a setting with one text, or its default.
func (c *Config) Text(name string) string {
	if texts := c.Texts(name); len(texts) > 0 {
		return texts[0]
	}
	return ""
}

// Place returns the path of the user's file: below $XDG_CONFIG_HOME if that is absolute (XDG Base Directory Specification), else in the
// default directory; "" if there is no place for it. windows selects the rules of that system.
func Place(windows bool, home string, env func(name string) string) string {
	dir := env("XDG_CONFIG_HOME")
	switch {
	case peek.IsAbsolute(dir):
	case windows && env("APPDATA") != "":
		dir = env("APPDATA")
	case !peek.IsAbsolute(home):
		return ""
	default:
		dir = peek.Join(home, ".config")
	}
	return peek.Join(peek.Join(dir, "gatehouse"), "config.yaml")
}

// PathOf resolves a path in a setting: "~" is the home directory, and a relative path starts there.
func PathOf(path, home string) string {
	if path == "~" {
		return home
	}
	if len(path) > 1 && path[0] == '~' && peek.IsSeparator(path[1]) {
		path = path[2:]
	}
	return peek.Absolute(path, home)
}
