// Who may decide here from elsewhere.

package join

import (
	"fmt"
	"slices"
	"strings"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/fleet/link"
	"gatehouse/parse/fleet/wire"
	"gatehouse/parse/text/shell"
)

// Rule lets a user decide.
type Rule struct {
	User     string       // "*" is anybody whom the hub lets ask
	Verbs    []model.Verb // none: all of them
	Projects []string     // names or roots; none: all of them
	// Unchecked lets also those decide of whom nobody has made sure who they are.
	Unchecked bool
}

// named reports whether a rule is about who asks.
func (r Rule) named(a link.Asked) bool {
	return r.User == "*" || wire.Token(r.User) == a.UserToken() // names are told by these: that of a cut one could be another's name
}

// known reports whether any rule is about who asks.
func (h *Host) known(a link.Asked) bool {
	return slices.ContainsFunc(h.Rules, func(r Rule) bool { return r.named(a) })
}

// may refuses what a user may not decide here.
func (h *Host) may(a link.Asked, action model.Action) error {
	p := h.project(action.Project)
	var verbs []string // that some rule allows on this project
	named, unchecked := false, false
	for _, r := range h.Rules {
		if !r.named(a) {
			continue
		}
		named = true
		if len(r.Projects) > 0 && (p == nil || !slices.Contains(r.Projects, p.Name) && !slices.Contains(r.Projects, p.Root)) {
			continue
		}
		for _, v := range r.Verbs {
			verbs = append(verbs, string(v))
		}
		if len(r.Verbs) > 0 && !slices.Contains(r.Verbs, action.Verb) {
			continue
		}
		if a.Trusted || r.Unchecked {
			return nil
		}
		unchecked = true
	}
	who := line.Clean(a.User)
	switch {
	case unchecked:
		return &model.Refusal{Text: "the hub does not check who asks, so " + h.Name + " lets nobody decide", Fix: "give the hub its members' keys: gatehouse fleet keys"}
	case !named:
		return &model.Refusal{Text: fmt.Sprintf("%s lets %s look, and not decide", h.Name, who), Fix: "decide there, or have it join with --allow " + allowed(a)}
	case len(verbs) > 0:
		return &model.Refusal{Text: fmt.Sprintf("%s does not let %s %s", h.Name, who, action.Verb), Fix: "it allows " + strings.Join(verbs, ", ")}
	}
	return &model.Refusal{Text: fmt.Sprintf("%s does not let %s decide about this project", h.Name, who), Fix: "decide there"}
}

// allowed returns who asks as a word for --allow.
func allowed(a link.Asked) string {
	if wire.Token(a.User) != a.UserToken() { // no rule is about what is left of a long name
		return "and the whole name"
	}
	return shell.Word(line.Clean(a.User))
}
