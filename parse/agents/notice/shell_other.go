//go:build !unix

package notice

import (
	"context"
	"os/exec"
)

// shellCommand returns a command line as the system's interpreter runs it.
func shellCommand(ctx context.Context, line string) *exec.Cmd {
	return exec.CommandContext(ctx, "cmd.exe", "/c", line)
}
