package main

// gatehouse sync: STATE.md brought in line with the tree.

import (
	"fmt"
	"strings"

	"gatehouse/model"
)

// confirmEdits shows what would be written into a file, and asks whether it may be.
func (d *decideFlags) confirmEdits(s *env, p *model.Proposal) error {
	if !d.asJSON {
		s.out.printf("%s\n", p.File)
		s.printEdits(p.Edits)
		if err := s.out.Flush(); err != nil { // before the question
			return err
		}
	}
	if d.yes {
		return nil
	}
	return s.confirmFile(p.File)
}

// confirmFile asks on the terminal whether a file may be written.
func (s *env) confirmFile(file string) error {
	if s.keys == nil {
		return fmt.Errorf("%s: nothing was written: there is no terminal to ask on; in a script say --yes", file)
	}
	typed, err := s.promptUser("write %s? [y/N]", file)
	if err != nil {
		return err
	}
	if answer := strings.ToLower(typed); answer != "y" && answer != "yes" {
		return fmt.Errorf("%s: not agreed to, nothing was written", file)
	}
	return nil
}
