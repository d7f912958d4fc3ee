package protocol

import (
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/doc"
)

// Deliverable is a required result of work, by its name in a state file.
type Deliverable struct {
	Name   string
	File   string // relative to the project; "" if it is not a file, or outside
	Exists bool   // the file exists and is not empty
	Why    string // its state, in a sentence
	Lacks  string // the problem with it, to follow its name: "is empty"; "" if it exists, or is not a file
	entry  mirror.Entry
}

const isMissing = "is missing"

// IsFileName reports whether a deliverable is the name of a file; "champion assessment" is not.
func IsFileName(name string) bool { return strings.ContainsAny(name, "./") }

// FindDeliverable looks for a deliverable in a directory of the project.
func FindDeliverable(m *mirror.Mirror, dir, name string) Deliverable {
	d := Deliverable{Name: line.Tidy(name)}
	file := path.Join(dir, name)
	entry, exists := m.Stat(file)
	if !IsFileName(name) && !(exists && entry.Outside()) {
		d.Why = "not the name of a file; check it yourself"
		return d
	}
	if path.IsAbs(name) || strings.Contains(name, "\\") || !filepath.IsLocal(file) {
		d.Why, d.Lacks = "outside the project, so it is not looked at", "is outside the project"
		return d
	}
	d.File, d.entry = file, entry
	switch {
	case !exists:
		d.Why, d.Lacks = "the file is missing", isMissing
	case entry.Dir:
		d.Why, d.Lacks = "a directory, not a file", "is a directory"
	case entry.Outside():
		d.Why, d.Lacks = "a link out of the project, so it is not looked at", "is a link out of the project"
	case !entry.Regular:
		d.Why, d.Lacks = "not a regular file", "is not a regular file"
	case entry.Size == 0:
		d.Why, d.Lacks = "the file is empty", "is empty"
	default:
		d.Exists, d.Why = true, "the file exists"
	}
	return d
}

// FindDeliverables looks for several deliverables.
func FindDeliverables(m *mirror.Mirror, dir string, names []string) []Deliverable {
	all := make([]Deliverable, len(names))
	for i, name := range names {
		all[i] = FindDeliverable(m, dir, name)
	}
	return all
}

// Lacking returns the names of missing deliverables that are files, and a sentence about them. One outside the project
// counts as missing, because it is not examined.
func Lacking(all []Deliverable) (names []string, sentence string) {
	var missing, others []string
	for _, d := range all {
		switch d.Lacks {
		case "":
			continue
		case isMissing:
			missing = append(missing, d.Name)
		default:
			others = append(others, d.Name+" "+d.Lacks)
		}
		names = append(names, d.Name)
	}
	if len(missing) > 0 {
		others = slices.Insert(others, 0, "missing: "+strings.Join(missing, ", "))
	}
	return names, strings.Join(others, "; ")
}

// Artifact returns the deliverable as the model has it.
func (d *Deliverable) Artifact() model.Artifact {
	return model.Artifact{Name: d.Name, File: d.File, Exists: d.entry.Regular, Size: d.entry.Size, Changed: d.entry.ModTime}
}

// Artifacts returns the deliverables that are files of the project.
func Artifacts(all []Deliverable) []model.Artifact {
	var files []model.Artifact
	for i := range all {
		if all[i].File != "" {
			files = append(files, all[i].Artifact())
		}
	}
	return files
}

// AddDeliverables adds the times at which existing deliverables were written.
func (s *Stamp) AddDeliverables(all []Deliverable, now time.Time) {
	for _, d := range all {
		if d.Exists {
			s.Add(d.entry.ModTime, now, true)
		}
	}
}

// AddRows adds a row for each deliverable below a node. isDue: they have to exist by now.
func AddRows(n *model.Node, rows Rows, m *mirror.Mirror, all []Deliverable, isDue bool) {
	for i := range all {
		d := &all[i]
		row := &model.Node{ID: rows.ID(n.ID + "/deliverable/" + strconv.Itoa(i+1)), Kind: model.KindDeliverable, Title: d.Name, Why: d.Why, Source: n.Source}
		switch {
		case d.Exists:
			row.Status, row.Updated = model.Done, d.entry.ModTime
			n.Count.Done++
			if d.entry.ModTime.After(n.Updated) {
				n.Updated = d.entry.ModTime
			}
		case d.File == "" || n.Status.Closed():
		case isDue:
			row.Status = model.Failed
		default:
			row.Status = model.Pending
		}
		if d.File != "" {
			n.Count.Total++
			row.Artifacts, row.Source = []model.Artifact{d.Artifact()}, model.Pos{File: d.File}
			n.Artifacts = append(n.Artifacts, row.Artifacts...)
		}
		if d.Exists {
			addSections(row, m, d)
		}
		n.Children = append(n.Children, row)
	}
}

// sectionCount is how many headings a Markdown file has.
type sectionCount int

func countSections(text string) (n sectionCount, err error) {
	for l := range doc.Lines(text, 0, len(text)) {
		if l.Level > 0 {
			n++
		}
	}
	return n, nil
}

// addSections adds the number of sections of a Markdown file: an empty outline has few.
func addSections(row *model.Node, m *mirror.Mirror, d *Deliverable) {
	const maxSize = 1 << 20
	if !strings.EqualFold(path.Ext(d.File), ".md") || d.entry.Size > maxSize {
		return
	}
	if r := mirror.Read(m, d.File, countSections); r.Err == nil {
		AddFact(row, "sections", strconv.Itoa(int(r.Value)))
	}
}
