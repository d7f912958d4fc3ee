// Package config reads the user's configuration: one YAML file of optional settings. A table of [Setting]s says which there are.
//
// A setting that can't be used is a [Mistake], with its line and what to write instead. The rest of the file counts.
package config

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"gatehouse/parse/disk/peek"
	"gatehouse/parse/text/yamldoc"
)

// Kind is the type of a setting's value.
type Kind uint8

const (
	Text  Kind = iota // one text
	Texts             // a list of texts; a single text stands for a list of one
	Truth             // true or false
)

// Setting is a row of the table: one thing that can be set.
type Setting struct {
	// Name is its name in the file; a setting in a section has the section's name before a dot: "keys.quit".
	Name string
	Kind Kind
	// Words say what it does.
	Words string
	// Default is the value if nothing is set.
	Default []string
	// Example is a value as one writes it, for messages; "" if the default or the Values serve as one.
	Example string
	// Values are the only texts it takes; nil where Check decides.
	Values []string
	// Check returns the error of a text, with a correct example; nil accepts any text. It is not called if there are Values.
	Check func(text string) error
	// Apart names a group of settings that must not share a text; "" for none.
	Apart string
}

// Section returns the section of the setting, "" for none, and its name there.
func (s *Setting) Section() (section, name string) {
	if section, name, ok := strings.Cut(s.Name, "."); ok {
		return section, name
	}
	return "", s.Name
}

// Value is the value of a setting.
type Value struct {
	Texts []string
	Line  int // of the file; 0 for the default
}

// Mistake is something in the file that can't be used.
type Mistake struct {
	Line int    // 0 for the file as a whole
	Text string // what is wrong
	Mend string // what to do
}

// Config holds the values of a configuration file.
type Config struct {
	File     string // "" if there is no place for it
	Found    bool   // the file is there
	Mistakes []Mistake
	settings []Setting
	values   map[string]Value
}

// sizeLimit is how much of the file is read. With every setting it has a few KiB.
const sizeLimit = 256 << 10

// Read reads a file by a table of settings. A file that is not there sets nothing.
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
	c.parseFile(text)
	return c
}

// parseFile reads the settings of a text.
func (c *Config) parseFile(text string) {
	text = strings.TrimPrefix(text, "\uFEFF")
	doc, err := yamldoc.Parse(text)
	var broken *yamldoc.Error
	switch {
	case errors.Is(err, yamldoc.ErrNotOneMapping):
		if onlyComments(text) {
			return
		}
		c.addMistake(1, "this is not one list of settings", `write each as "name: value"`)
		return
	case errors.As(err, &broken) && broken.Twice:
		c.addMistake(broken.Line, broken.Text, "keep one; the last is used")
	case errors.As(err, &broken):
		c.readSettings(parseBeginning(text))
		c.Mistakes = nil
		if row := badLetter(text); row > 0 { // the YAML parser does not say where
			broken.Line, broken.Text = row, "this is no UTF-8"
		}
		c.addMistake(broken.Line, broken.Text, "fix it; what follows is not used until then")
		return
	}
	c.readSettings(doc)
	c.findUnknown(doc, "")
	for _, section := range c.parseSections() {
		if doc.Kind(section) == yamldoc.Mapping {
			c.findUnknown(doc.Doc(section), section)
		}
	}
	slices.SortStableFunc(c.Mistakes, func(a, b Mistake) int { return a.Line - b.Line })
}

// parseBeginning parses as many lines of a broken text as can be read; long texts are not tried line by line.
func parseBeginning(text string) (doc yamldoc.Doc) {
	lines := strings.SplitAfter(text, "\n")
	for len(lines) > 1 {
		lines = lines[:len(lines)-max(1, len(lines)/100)]
		if doc, err := yamldoc.Parse(strings.Join(lines, "")); err == nil {
			return doc
		}
	}
	return doc
}

// badLetter returns the first line with bytes that are no UTF-8, counted from 1; 0 for none.
func badLetter(text string) (row int) {
	for l := range strings.Lines(text) {
		row++
		if !utf8.ValidString(l) {
			return row
		}
	}
	return 0
}

func onlyComments(text string) bool {
	for row := range strings.Lines(text) {
		if row = strings.TrimSpace(row); row != "" && row[0] != '#' && row != "---" {
			return false
		}
	}
	return true
}

func (c *Config) addMistake(line int, text, mend string) {
	c.Mistakes = append(c.Mistakes, Mistake{line, text, mend})
}

// parseSections returns the sections there are.
func (c *Config) parseSections() (all []string) {
	for i := range c.settings {
		if section, _ := c.settings[i].Section(); section != "" && !slices.Contains(all, section) {
			all = append(all, section)
		}
	}
	return all
}

// readSettings reads the settings that the table has.
func (c *Config) readSettings(doc yamldoc.Doc) {
	for _, section := range c.parseSections() {
		if kind := doc.Kind(section); kind != yamldoc.Mapping && kind != yamldoc.Absent && kind != yamldoc.Null {
			c.addMistake(doc.Line(section), section+": this is "+doc.Kind(section).String()+", and has to be a list of settings", "write them below it, each as \"name: value\", with two blanks before")
		}
	}
	taken := map[string]map[string]int{} // the line of each text that was set, of those that have to differ
	for i := range c.settings {
		s := &c.settings[i]
		section, name := s.Section()
		in := doc
		if section != "" {
			in = doc.Doc(section)
		}
		if kind := in.Kind(name); kind == yamldoc.Absent || kind == yamldoc.Null {
			continue
		}
		texts, ok := c.readTexts(in, s, name)
		if !ok {
			continue
		}
		line := in.Line(name)
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

// readTexts returns the values of a key; ok is false if they can't be used.
func (c *Config) readTexts(in yamldoc.Doc, s *Setting, name string) (texts []string, ok bool) {
	line := in.Line(name)
	switch kind := in.Kind(name); {
	case kind == yamldoc.List && s.Kind == Texts:
		if texts, ok = in.Strings(name); !ok {
			c.addMistake(line, s.Name+": an item of the list is none of text", "write each as one word, or in quotation marks")
			return nil, false
		}
	case kind == yamldoc.List || kind == yamldoc.Mapping:
		c.addMistake(line, s.Name+": this is "+in.Kind(name).String()+", and has to be "+s.describeShape(), s.exampleText())
		return nil, false
	default:
		texts = []string{in.String(name)}
	}
	for _, text := range texts {
		if err := s.checkText(text); err != nil {
			c.addMistake(line, s.Name+": "+err.Error(), s.exampleText())
			return nil, false
		}
	}
	return texts, true
}

// dropDuplicates leaves out the texts that another setting has.
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

// checkText returns the error of a text.
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

// exampleText returns a correct value.
func (s *Setting) exampleText() string {
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

// findUnknown reports the keys of a section that are no settings.
func (c *Config) findUnknown(doc yamldoc.Doc, section string) {
	var known []string
	for i := range c.settings {
		if in, name := c.settings[i].Section(); in == section {
			known = append(known, name)
		}
	}
	if section == "" {
		known = append(known, c.parseSections()...)
	}
	for _, key := range doc.Others(known...) {
		name, mend := key, "take it out"
		if section != "" {
			name = section + "." + key
		}
		if near := Nearest(key, known); near != "" {
			mend = "did you mean " + near + "?"
		}
		c.addMistake(doc.Line(key), name+": there is no such setting", mend)
	}
}

// Settings returns the table.
func (c *Config) Settings() []Setting { return c.settings }

// Set returns the value that the file sets; ok is false if it sets none.
func (c *Config) Set(name string) (v Value, ok bool) {
	v, ok = c.values[name]
	return v, ok
}

// Texts returns the value of a setting.
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

// Text returns the value of a setting that holds one text.
func (c *Config) Text(name string) string {
	if texts := c.Texts(name); len(texts) > 0 {
		return texts[0]
	}
	return ""
}
