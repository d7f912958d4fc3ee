package main

// Who decides: a human, or automation that identifies itself. Agents are refused.

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"gatehouse/model"
	"gatehouse/parse/agents/ask"
	"gatehouse/parse/agents/caller"
	"gatehouse/parse/agents/record"
)

// decidingFlags adds the flags of all commands that decide: --as-agent for automation, and --sign.
func (s *env) decidingFlags(cmd *cobra.Command) {
	cmd.Flags().Func("as-agent", "decide as automation with this `name`, which the journal records", func(name string) error {
		if s.automation = name; strings.TrimSpace(name) == "" {
			return errors.New("the name is empty; write that of your automation, like --as-agent release-bot")
		}
		return nil
	})
	completeFlag(cmd, "as-agent", cobra.NoFileCompletions)
	cmd.Flags().BoolVar(&s.signs, "sign", false, "sign the decision with the key of the setting sign_key")
}

// recognizeCaller returns who runs this command.
func (s *env) recognizeCaller() caller.Caller {
	signs := caller.Signs{Env: s.getenv, Table: s.processes}
	signs.Recorded = func(pid int) (string, string) {
		if session, _ := record.ClaudeState(s.user.Home, s.getenv, pid); session != "" {
			return "claude", session
		}
		return "", ""
	}
	if s.agents != "" {
		signs.Sessions, _ = s.openAsks().Sessions() // if sessions can't be read, other evidence still counts
	}
	return caller.Recognize(signs)
}

// recognizeDecider returns who decides by this command or dashboard, for the journal. The error refuses an agent.
func (s *env) recognizeDecider(how string) (model.Caller, error) {
	c := s.recognizeCaller()
	c.How = how
	switch {
	case s.automation != "":
		c.Actor, c.Client = model.Automation, s.automation
	case c.IsAgent():
		return c.Caller, fmt.Errorf("%s runs this (%s), and agents do not decide; leave it to your user", c.Client, c.Sign)
	}
	return c.Caller, nil
}

// decidingStore returns the store of asks for a command that answers.
func (s *env) decidingStore() (*ask.Store, error) {
	c, err := s.recognizeDecider(model.HowCommand)
	if err != nil {
		return nil, err
	}
	return s.openAsks().By(c, s.signAnswer(s.stderr)), nil
}

// checkAnswerer returns why this process may not answer an ask.
func (s *env) checkAnswerer(item *ask.Item) error {
	return s.openAsks().Refuses(&item.Ask, s.processes.Self().PID, s.environ)
}
