// Decisions that were broken off: whoever made one was stopped between the file and the journal.

package parse

import (
	"context"

	"gatehouse/model"
	"gatehouse/parse/disk/journal"
	"gatehouse/parse/disk/statefile"
)

// endBrokenOff ends in the journal what was begun about the file and broken off, as far as the content tells what became of
// it. It returns a refusal where that is what this action would do: whoever runs a command again that was stopped means to do
// it once. Held says that the lock of the file is: nobody is at it then, so that what has left no trace was not done. That the
// journal can't be told keeps nobody from deciding: the file tells as long as it stands.
func (s *site) endBrokenOff(log logbook, content string, held bool) error {
	hash := statefile.Hash(content)
	var done *model.Decision
	for _, d := range log.Unfinished() {
		switch {
		case d.File != s.about.File:
		case d.After == hash && done == nil:
			log.End(d.ID, true)
			done = &d
		case held && (d.Before == hash || d.After == hash): // an older one has not led here a second time
			log.End(d.ID, false)
		}
	}
	if done != nil && s.repeats(done) {
		return &model.Refusal{Text: done.Name + ": done already, by a run that was broken off", Already: true}
	}
	return nil
}

// repeats reports whether the action is what was decided before.
func (s *site) repeats(d *model.Decision) bool {
	a := s.action
	return d.Verb == a.Verb && d.Build == a.Build && (d.Node == a.Node || a.Node == "" && a.Verb == model.VerbAdd) && d.Text == a.Text && d.Kind == a.Kind &&
		d.Who == s.p.user.Name
}

// Tidy takes away what writers that were killed have left beside the file of an action, where nothing is written that would.
func (as *Actions) Tidy(ctx context.Context, a model.Action) {
	if s, err := as.site(ctx, a); err == nil {
		as.store.Sweep(s.file())
	}
}

// proven returns decisions of a project, newest first, with those that were broken off told by the files as they are now.
func (p *Project) proven(all []model.Decision) []model.Decision { return journal.Prove(all, p.hash) }
