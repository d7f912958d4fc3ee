// The files that phases and gates name: whether they are there, how large, how old.

package loop

import (
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/text/markdown"
)

// maxCounted is the largest deliverable of which the sections are counted: 1 MiB.
const maxCounted = 1 << 20

// isFile reports whether a deliverable is the name of a file; "champion assessment" is none.
func isFile(name string) bool { return strings.ContainsAny(name, "./") }

// deliverable is a file that a phase or a gate names.
type deliverable struct {
	name  string
	file  string // relative to the project; "" for what is no file, or lies outside
	entry mirror.Entry
	there bool // it is a file, and not empty
	why   string
	// lacks is why in few words, behind its name: "is empty"; "" where it is there, or no file.
	lacks string
}

// leadsOut reports whether a text is the name of a link that leads out of the project.
func (v *view) leadsOut(name string) bool {
	e, found := v.r.m.Stat(path.Join(path.Dir(v.r.file), name))
	return found && e.Outside()
}

// look looks for a deliverable, in the directory of the state.
func (v *view) look(name string) deliverable {
	d := deliverable{name: line.Tidy(name)}
	if !isFile(name) && !v.leadsOut(name) {
		d.why = "a text, not the name of a file: look for yourself"
		return d
	}
	file := path.Join(path.Dir(v.r.file), name)
	if path.IsAbs(name) || strings.Contains(name, "\\") || !filepath.IsLocal(file) {
		d.why, d.lacks = "its name leads out of the project; it is not looked for", "lies outside of the project"
		return d
	}
	d.file = file
	entry, found := v.r.m.Stat(file)
	d.entry = entry
	switch {
	case !found:
		d.why, d.lacks = "there is no such file", notThere
	case entry.Dir:
		d.why, d.lacks = "it is a directory, not a file", "is a directory"
	case entry.Outside():
		d.why, d.lacks = "it is a link that leads out of the project; it is not looked at", "is a link that leads out of the project"
	case !entry.Regular:
		d.why, d.lacks = "it is no regular file of the project", "is no regular file"
	case entry.Size == 0:
		d.why, d.lacks = "the file is empty", "is empty"
	default:
		d.there, d.why = true, "the file is there"
	}
	return d
}

// missing returns the names of those deliverables of a gate that are files and not there, and what is wrong with them in words.
// One whose name leads out of the project is missing, too: nobody has looked.
func (v *view) missing(names []string) (missing []string, lacks string) {
	var absent, others []string
	for _, name := range names {
		d := v.look(name)
		switch {
		case d.lacks == "":
			continue
		case d.lacks == notThere:
			absent = append(absent, d.name)
		default:
			others = append(others, d.name+" "+d.lacks)
		}
		missing = append(missing, d.name)
	}
	if len(absent) > 0 {
		others = slices.Insert(others, 0, "not there: "+list(absent))
	}
	return missing, strings.Join(others, "; ")
}

// notThere is what a deliverable lacks of which there is no file.
const notThere = "is not there"

// artifacts returns the deliverables that are files of the project.
func (v *view) artifacts(names []string) []model.Artifact {
	var all []model.Artifact
	for _, name := range names {
		if d := v.look(name); d.file != "" {
			all = append(all, d.artifact())
		}
	}
	return all
}

func (d *deliverable) artifact() model.Artifact {
	return model.Artifact{Name: d.name, File: d.file, Exists: d.entry.Regular, Size: d.entry.Size, Changed: d.entry.ModTime}
}

// deliverables makes the rows of what a phase or a gate is to deliver. reached says that it has to be there by now.
func (v *view) deliverables(n *model.Node, names []string, reached bool) {
	for i, name := range names {
		d := v.look(name)
		row := &model.Node{ID: v.id(n.ID + "/deliverable/" + strconv.Itoa(i+1)), Kind: model.KindDeliverable, Title: d.name, Why: d.why, Source: n.Source}
		switch {
		case d.there:
			row.Status, row.Updated = model.Done, d.entry.ModTime
		case d.file == "" || n.Status.Closed():
			row.Status = model.Unknown
		case reached:
			row.Status = model.Failed
		default:
			row.Status = model.Pending
		}
		if d.file != "" {
			n.Count.Total++
			row.Artifacts = []model.Artifact{d.artifact()}
			row.Source = model.Pos{File: d.file}
		}
		if d.there {
			n.Count.Done++
			v.sections(row, &d)
			if row.Updated.After(n.Updated) {
				n.Updated = row.Updated
			}
		}
		n.Artifacts = append(n.Artifacts, row.Artifacts...)
		n.Children = append(n.Children, row)
	}
}

// sectionCount is how many headings a Markdown text has.
type sectionCount int

func countSections(text string) (n sectionCount, err error) {
	for l := range markdown.Lines(text, 1) {
		if l.Level > 0 {
			n++
		}
	}
	return n, nil
}

// sections says how many sections a Markdown file has: an outline that nobody filled in looks thin.
func (v *view) sections(row *model.Node, d *deliverable) {
	if !strings.EqualFold(path.Ext(d.file), ".md") || d.entry.Size > maxCounted {
		return
	}
	if r := mirror.Read(v.r.m, d.file, countSections); r.Err == nil {
		fact(row, "sections", strconv.Itoa(int(r.Value)))
	}
}
