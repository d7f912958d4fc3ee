package main

// What opens where nothing is named and nothing is built here: all projects that the user has. And remembering them.

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"time"

	"gatehouse/model"
	"gatehouse/parse"
	"gatehouse/parse/disk/kept"
	"gatehouse/tui"
)

// searchTime is how long projects are looked for in each start.
const searchTime = 100 * time.Millisecond

// keeps returns what is remembered from one run to the next.
func (s *surroundings) keeps() *kept.Store {
	if s.memory == nil {
		s.memory = kept.Open(s.user.System, s.keptDir)
	}
	return s.memory
}

// atHome returns how the projects are opened that the user has, for one frame or for a dashboard; where there are none, those that are here, without a build.
func (s *surroundings) atHome(here []*parse.Project, once bool) func(context.Context) ([]*parse.Project, error) {
	search := parse.Search{Below: s.roots(), Within: searchTime}
	if dir, err := os.Getwd(); err == nil {
		search.Below = append([]string{dir}, search.Below...)
	}
	known, err := s.keeps().Projects()
	if err != nil && !once { // whoever wants one frame can do without what is remembered
		s.notify(err.Error())
	}
	for _, p := range known {
		search.Known = append(search.Known, p.Root)
	}
	return s.searched(search, here)
}

// searched returns how the projects are opened that a search finds; where there are none, those that are here.
func (s *surroundings) searched(search parse.Search, here []*parse.Project) func(context.Context) ([]*parse.Project, error) {
	return func(ctx context.Context) ([]*parse.Project, error) {
		found, err := parse.Discover(ctx, search, s.user)
		if projects, err := s.ofSearch(found, err); err != nil || len(projects) > 0 {
			return projects, err
		}
		return here, nil
	}
}

// openBelow returns how places are opened that are named: a directory that holds no build stands for those below it.
func (s *surroundings) openBelow(places []parse.Place) func(context.Context) ([]*parse.Project, error) {
	return func(ctx context.Context) ([]*parse.Project, error) {
		found, err := parse.OpenBelow(ctx, places, searchTime, s.user)
		return s.ofSearch(found, err)
	}
}

// ofSearch returns the projects that were found, and has it told where there was no time for all.
func (s *surroundings) ofSearch(found parse.Found, err error) ([]*parse.Project, error) {
	if err == nil && found.Unsearched {
		s.notify(fmt.Sprintf("not every directory was looked into within %v; name those of projects, or have roots nearer to them in your configuration", searchTime))
	}
	return found.Projects, err
}

// remember keeps which projects are shown, for the next time, once they have been read. The function it returns ends that; what went
// wrong is said at the end.
func (s *surroundings) remember(ctx context.Context, feed model.Feed) (end func()) {
	if s.apart {
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		snap, err := feed.Next(ctx, 0)
		if err != nil {
			return // it has ended before
		}
		var roots []string
		for _, p := range snap.Projects {
			for _, b := range p.Builds {
				if b.ID != model.AgentsBuild {
					roots = append(roots, p.Root)
					break
				}
			}
		}
		if err := s.keeps().SeeProjects(ctx, roots, s.now()); err != nil && ctx.Err() == nil {
			s.notify(err.Error())
		}
	}()
	return func() {
		cancel()
		<-done
	}
}

// noticeRoom is how many notices wait until they are said; what comes beyond is not said.
const noticeRoom = 16

// notices returns where what the dashboard is to say waits for it.
func (s *surroundings) notices() chan string {
	s.noticesOnce.Do(func() { s.toSay = make(chan string, noticeRoom) })
	return s.toSay
}

// notify has the dashboard say something, and else standard error once there is no dashboard any more.
func (s *surroundings) notify(text string) {
	select {
	case s.notices() <- text:
	default:
	}
}

// sayUnsaid says what no dashboard has.
func (s *surroundings) sayUnsaid() {
	for {
		select {
		case text := <-s.notices():
			s.complain("%s", text)
		default:
			return
		}
	}
}

// keeper keeps how projects were looked at: a file for each, by the hash of its root.
type keeper struct {
	store *kept.Store
}

// Load implements [tui.Keeper].
func (k keeper) Load(name string, into any) error { return k.store.Load(fileOf(name), into) }

// saveWithin is how long keeping one thing may take: another dashboard may be about to do the same, and the machine busy.
const saveWithin = 500 * time.Millisecond

// Save implements [tui.Keeper].
func (k keeper) Save(name string, value any) error {
	ctx, cancel := context.WithTimeout(context.Background(), saveWithin)
	defer cancel()
	return k.store.Save(ctx, fileOf(name), value)
}

// fileOf returns what a file is called that something is kept in. A project is named by its root, which another machine may have
// chosen: its file is called by a hash that nobody finds a second root for.
func fileOf(name string) string {
	if name == tui.ScreenName {
		return name
	}
	sum := sha256.Sum256([]byte(name))
	return "view-" + hex.EncodeToString(sum[:16])
}
