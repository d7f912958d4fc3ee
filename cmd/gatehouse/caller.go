package main

// Who decides: a human, or automation that names itself. Agents are refused.

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

// decidingFlags adds the flags that all commands have that decide: --as-agent, by which automation names itself, and --sign.
func (s *surroundings) decidingFlags(cmd *cobra.Command) {
	cmd.Flags().Var(automationName{s}, "as-agent", "decide as automation of this `name`: the journal says so, and no human has decided")
	complete(cmd, "as-agent", cobra.NoFileCompletions)
	cmd.Flags().BoolVar(&s.signs, "sign", false, "sign the decision with the key of the setting sign_key")
}

// automationName is the value of --as-agent.
type automationName struct{ s *surroundings }

func (a automationName) Type() string   { return "name" }
func (a automationName) String() string { return "" }

// Set implements [pflag.Value].
func (a automationName) Set(name string) error {
	if strings.TrimSpace(name) == "" {
		return errors.New("the name is empty; write that of your automation, like --as-agent release-bot")
	}
	a.s.automation = name
	return nil
}

// caller returns who runs this command.
func (s *surroundings) caller() caller.Caller {
	signs := caller.Signs{Env: s.variable, Table: s.processes}
	signs.Recorded = func(pid int) (string, string) {
		if session, _ := record.ClaudeState(s.user.Home, s.variable, pid); session != "" {
			return "claude", session
		}
		return "", ""
	}
	if s.agents != "" {
		sessions, _ := s.store().Sessions() // the other signs count if they can't be read
		for i := range sessions {
			signs.Sessions = append(signs.Sessions, caller.Session{Client: sessions[i].Agent, ID: sessions[i].ID, Process: sessions[i].Process})
		}
	}
	return caller.Recognize(signs)
}

// decider returns who decides by this command or dashboard, for the journal. The error refuses an agent.
func (s *surroundings) decider(how string) (model.Caller, error) {
	c := s.caller()
	c.How = how
	switch {
	case s.automation != "":
		c.Actor, c.Client = model.Automation, s.automation
	case c.IsAgent():
		return c.Caller, refusesAgent(&c)
	}
	return c.Caller, nil
}

// refusesAgent says why an agent may not decide.
func refusesAgent(c *caller.Caller) error {
	return fmt.Errorf("%s runs this (%s), and agents do not decide; leave it to your user", c.Client, c.Sign)
}

// decidingStore returns the store of asks for a command that answers.
func (s *surroundings) decidingStore() (*ask.Store, error) {
	c, err := s.decider(model.HowCommand)
	if err != nil {
		return nil, err
	}
	return s.store().By(c, s.signAnswer(s.stderr)), nil
}
