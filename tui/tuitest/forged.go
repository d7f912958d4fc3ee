package tuitest

// Texts that imitate ours.

import (
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"gatehouse/model"
)

// Forged is the content of every text of a build: words that show where it wraps, signs, several kinds of blanks, joints.
func Forged() string {
	words := []string{"zz01", "◆zs┃zs", "✓zs", "●zs─zs", "zs█zs", "≠zs", "▲zs", "▎zs", "za      zb", "za\u00a0\u3000\u2003zb", "za\t\t \u200b zb", "zc · zd", "zc → zd"}
	for i := 2; i < 40; i++ {
		words = append(words, fmt.Sprintf("zz%02d", i))
	}
	return strings.Join(words, " ")
}

// Fields that are not displayed texts: names that identify rows, files and builds, and our own words.
var noText = map[string]bool{
	"ID": true, "Node": true, "Build": true, "Project": true, "Root": true, "Protocol": true, "DependsOn": true, "BlockedBy": true, "Opens": true,
	"Wants": true, "Confirm": true, "Seen": true, "Shown": true, "Date": true, "Code": true, "Header": true, "Claimed": true, "Dir": true, "Of": true,
}

// Forge replaces every text that is reachable from v.
func Forge(v reflect.Value, field, text string) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			Forge(v.Elem(), field, text)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() && !noText[f.Name] {
				Forge(v.Field(i), f.Name, text)
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			Forge(v.Index(i), field, text)
		}
	case reflect.String:
		if v.CanSet() && v.Type() == reflect.TypeFor[string]() {
			if field == "Effect" { // its arrow is ours
				text += " → passed"
			}
			v.SetString(text)
		}
	}
}

// What a forged text may not produce on the screen: one of our signs, or blanks that push the rest to where another text
// begins; and at the beginning of a row anything but its own beginning.
var (
	forgedSign  = regexp.MustCompile(`[^\x00-\x7F▫…│╭╮╰╯]zs|zs[^\x00-\x7F▫…│╭╮╰╯]`) // except for the edges of boxes, which may stand next to any text
	forgedJoint = regexp.MustCompile(`zc [^\x00-\x7F] zd`)
	forgedBlank = regexp.MustCompile(`za(\s{2,}|[^\x00-\x7F]+)zb`)
	forgedRow   = regexp.MustCompile(`^\s*(zz(0[2-9]|[1-9]\d)|z[ab])`)
)

func NotForged(t *testing.T, where, row string) {
	t.Helper()
	row = ansi.Strip(row)
	for _, forbidden := range [...]*regexp.Regexp{forgedSign, forgedJoint, forgedBlank} {
		if found := forbidden.FindString(row); found != "" {
			t.Errorf("%s: %q in %q", where, found, row)
		}
	}
}

// ForgedSnapshots returns builds of several kinds, all forged.
func ForgedSnapshots() map[string]*model.Snapshot {
	a := NewActor()
	a.Requests["frame-gate"] = "Name the limits.\nAnd who pays?"
	all := map[string]*model.Snapshot{"gsd": Shop(), "loop": a.Snapshot(1), "chunks": Reader(), "measured": Measured(), "fleet": Fleet()}
	for _, snap := range all {
		Forge(reflect.ValueOf(&snap.Projects), "", Forged())
		for _, p := range snap.Projects {
			for i := range p.Decisions {
				p.Decisions[i].Text = Forged() + "\n" + Forged()
			}
			for _, b := range p.Builds {
				for _, n := range model.Walk(b.Nodes) {
					if n.Gate != nil && n.Gate.Request != nil {
						n.Gate.Request.Text = Forged() + "\n" + Forged()
					}
				}
			}
		}
	}
	return all
}

// NotForgedPage checks the beginnings of the rows of a page: of a text from a file only the first row may lack the sign of
// a continued row.
func NotForgedPage(t *testing.T, where string, rows []string, ascii bool) {
	t.Helper()
	for _, row := range rows {
		if plain := ansi.Strip(row); forgedRow.MatchString(plain) {
			t.Errorf("%s: this row could be ours: %q", where, plain)
		}
		if !ascii {
			NotForged(t, where, row)
		}
	}
}
