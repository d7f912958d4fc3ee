package core

import "gatehouse/model/line"

// Facts returns the facts of the line, for the prompt and the header of the dashboard. name is the project's, for builds without a
// title of their own.
func (b *Build) Facts(name string) *line.Spec {
	s := &line.Spec{Name: b.Name(name), Unread: b.Unread, Done: b.Count.Done, Total: b.Count.Total, IsComplete: b.Status == Done, Next: b.Next}
	if b.Status == Failed || b.Status == Skipped {
		if s.State = b.Raw; s.State == "" {
			s.State = "failed"
		}
	}
	if b.Now == nil || s.IsComplete || b.Now.Gate != nil {
		return s
	}
	s.IsActive, s.Task = true, b.Now.Name()
	for _, p := range b.Phases {
		if p == b.Now {
			return s
		}
		for _, task := range p.Items {
			if task == b.Now {
				if s.Phase = p.Title; s.Phase == "" {
					s.Phase = p.ID
				}
				return s
			}
		}
	}
	return s
}

// Waiting returns the first thing that certainly waits, nil if nothing does.
func (b *Build) Waiting() *Wait {
	for i := range b.Waits {
		if !b.Waits[i].IsWeak {
			return &b.Waits[i]
		}
	}
	return nil
}

// Name returns how people call the build; project is the name of the project.
func (b *Build) Name(project string) string {
	if b.Title == "" {
		return project
	}
	return b.Title
}
