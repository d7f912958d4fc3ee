package kept

import (
	"cmp"
	"context"
	"slices"
	"time"
)

// projectLimit is how many projects are remembered, those seen last.
const projectLimit = 200

// projectsName is the file of the projects.
const projectsName = "projects"

// Project is a project that was seen before.
type Project struct {
	Root string    `json:"root"` // absolute
	Seen time.Time `json:"seen"` // last time
}

// Projects returns the projects that were seen before, the latest first. With an error there may be none.
func (s *Store) Projects() (all []Project, err error) {
	err = s.Load(projectsName, &all)
	return all, err
}

// SeeProjects remembers that projects were seen now.
func (s *Store) SeeProjects(ctx context.Context, roots []string, now time.Time) error {
	if len(roots) == 0 {
		return nil
	}
	var all []Project
	return s.Change(ctx, projectsName, &all, func() any {
		all = slices.DeleteFunc(all, func(p Project) bool { return slices.Contains(roots, p.Root) })
		for _, root := range roots {
			all = append(all, Project{root, now.UTC()})
		}
		slices.SortStableFunc(all, func(a, b Project) int { return cmp.Or(b.Seen.Compare(a.Seen), cmp.Compare(a.Root, b.Root)) })
		return all[:min(len(all), projectLimit)]
	})
}
