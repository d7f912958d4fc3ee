// Package config reads the user's configuration: one YAML file of optional settings. A table of [Setting]s lists them.
//
// A setting that can't be used is a [Mistake], with its line and the fix. The rest of the file applies.
package config

import (
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
	Truth             // true or false
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
	// Example is a value for messages; "" to use the default or the Values.
	Example string
	// Values are the only texts allowed; nil if Check decides.
	Values []string
	// Check returns the problem of a text; nil allows any text. It is not called if there are Values.
	Check func(text string) error
	// Apart names a group of settings that must not share a text; "" for no group.
	Apart string
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
	Line int    // 0 for the file as a whole
	Text string // the problem
	Mend string // the fix
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
	text, cut, err := peek.ReadFile(file, "", nil, sizeLimit)
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
	for _, section := range c.listSections() {
		c.findUnknown(root.Get(section), section)
	}
	slices.SortStableFunc(c.Mistakes, func(a, b Mistake) int { return a.Line - b.Line })
}

// lineOf returns the line of an offset.
func (c *Config) lineOf(at int) int {
	line, _ := c.lines.Position(at)
	return line
}

func (c *Config) addMistake(line int, text, mend string) {
	c.Mistakes = append(c.Mistakes, Mistake{line, text, mend})
}

// listSections returns the names of the sections.
func (c *Config) listSections() (all []string) {
	for i := range c.settings {
		if section, _ := c.settings[i].Section(); section != "" && !slices.Contains(all, section) {
			all = append(all, section)
		}
	}
	return all
}

// readSettings reads the settings that are in the table. A value that can't be parsed was reported before.
func (c *Config) readSettings(root doc.Value) {
	for _, section := range c.listSections() {
		if v := root.Get(section); !v.IsEmpty() && !v.Is(doc.Map) && !v.Is(doc.Unsupported) {
			c.addMistake(c.lineOf(v.Offset()), section+": this is "+v.Kind().String()+", and has to be a list of settings", "write them below it, each as \"name: value\", with two blanks before")
		}
	}
	taken := map[string]map[string]int{} // for each group, the line of each text that was set
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
		texts, ok := c.readTexts(v, s, line)
		if !ok {
			continue
		}
		if s.Apart != "" {
			if taken[s.Apart] == nil {
				taken[s.Apart] = map[string]int{}
			}
			wished := len(texts)
			if texts = c.dropDuplicates(s, texts, line, taken[s.Apart]); wished > 0 && len(texts) == 0 {
				continue
			}
		}
		c.values[s.Name] = Value{texts, line}
	}
}

// readTexts returns the texts of a value, checked by the setting; ok is false if they can't be used.
func (c *Config) readTexts(v doc.Value, s *Setting, line int) (texts []string, ok bool) {
	switch {
	case v.Is(doc.List) && s.Kind == Texts:
		for item := range v.Elements() {
			if item.Scalar() == "" {
				c.addMistake(line, s.Name+": an item of the list is not text", "write each as one word, or in quotation marks")
				return nil, false
			}
			texts = append(texts, item.Scalar())
		}
	case v.Is(doc.List) || v.Is(doc.Map):
		c.addMistake(line, s.Name+": this is "+v.Kind().String()+", and has to be "+s.describeShape(), s.exampleFix())
		return nil, false
	default:
		texts = []string{v.Scalar()}
	}
	for _, text := range texts {
		if err := s.checkText(text); err != nil {
			c.addMistake(line, s.Name+": "+err.Error(), s.exampleFix())
			return nil, false
		}
	}
	return texts, true
}

// dropDuplicates removes the texts that another setting of the group has.
func (c *Config) dropDuplicates(s *Setting, texts []string, line int, taken map[string]int) (own []string) {
	own = []string{}
	for _, text := range texts {
		if before := taken[text]; before != 0 {
			c.addMistake(line, fmt.Sprintf("%s: %s is set at line %d already", s.Name, text, before), "choose another one here or there")
			continue
		}
		taken[text] = line
		own = append(own, text)
	}
	return own
}

// checkText returns the problem of a text.
func (s *Setting) checkText(text string) error {
	switch {
	case s.Kind == Truth:
		if text != "true" && text != "false" {
			return fmt.Errorf("%s is neither true nor false", strconv.Quote(text))
		}
	case s.Values != nil:
		if !slices.Contains(s.Values, text) {
			return fmt.Errorf("there is no %s", strconv.Quote(text))
		}
	case s.Check != nil:
		return s.Check(text)
	}
	return nil
}

func (s *Setting) describeShape() string {
	if s.Kind == Texts {
		return "a text or a list of texts"
	}
	return "a text"
}

// exampleFix returns the fix for a wrong value, with an example.
func (s *Setting) exampleFix() string {
	_, name := s.Section()
	switch {
	case s.Kind == Truth:
		return "write true or false"
	case s.Example != "":
		return fmt.Sprintf("write it like %s: %s", name, s.Example)
	case s.Values != nil && s.Kind == Texts:
		return "choose among " + strings.Join(s.Values, ", ")
	case s.Values != nil:
		return "choose one of " + strings.Join(s.Values, ", ")
	case s.Kind == Texts:
		return fmt.Sprintf("write %s: [%s]", name, strings.Join(s.Default, ", "))
	case len(s.Default) == 1:
		return fmt.Sprintf("write it like %s: %s", name, s.Default[0])
	}
	return "leave it out"
}

// findUnknown reports the keys of a section that are not settings.
func (c *Config) findUnknown(in doc.Value, section string) {
	var known []string
	for i := range c.settings {
		if in, name := c.settings[i].Section(); in == section {
			known = append(known, name)
		}
	}
	if section == "" {
		known = append(known, c.listSections()...)
	}
	for v := range in.Members() {
		key := v.Key()
		if slices.Contains(known, key) {
			continue
		}
		name, mend := key, "take it out"
		if section != "" {
			name = section + "." + key
		}
		if near := Nearest(key, known); near != "" {
			mend = "did you mean " + near + "?"
		}
		c.addMistake(c.lineOf(v.KeyOffset()), name+": there is no such setting", mend)
	}
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
