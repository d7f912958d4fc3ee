// Gatehouse's plugin for opencode, made by "gatehouse install opencode": it is replaced as a whole.
//
// It hands opencode's events on to "gatehouse hook opencode". What that prints is a human's answer and goes to opencode's own server.
// opencode's own prompt stays open beside it, and the first answer wins.
import { spawn } from "node:child_process"

const program = "gatehouse"

// asks holds the hooks that wait for an answer, by the ID of the request.
const asks = new Map()
// turns holds the hooks that wait for a reply to a finished turn, by session.
const turns = new Map()
// parents maps a session to the session that started it.
const parents = new Map()
// prompts holds the last prompt of each session, replies the text of its last message: {message, parts: Map}.
const prompts = new Map()
const replies = new Map()
const assistants = new Set()
const busy = new Set()
const tools = new Set()

function run(event, directory, more, done) {
  const child = spawn(program, ["hook", "opencode"], { stdio: ["pipe", "pipe", "ignore"] })
  let printed = ""
  child.on("error", () => {}) // without gatehouse opencode asks by itself
  child.stdin.on("error", () => {})
  child.stdout.on("data", (text) => (printed += text))
  child.on("close", () => {
    let answer
    try {
      answer = JSON.parse(printed)
    } catch {} // nobody has answered
    done && done(answer)
  })
  const parent = parents.get(event.properties?.sessionID || event.properties?.info?.id)
  child.stdin.end(JSON.stringify({ type: event.type, properties: event.properties, directory, parent, ...more }))
  return child
}

// lastWords returns the text of the last message of a session.
function lastWords(session) {
  const reply = replies.get(session)
  return reply && assistants.has(reply.message) ? [...reply.parts.values()].join("\n\n") : ""
}

export const Gatehouse = async ({ client, directory }) => {
  const post = (url, requestID, body) =>
    client._client
      .post({ url, path: { requestID }, headers: { "content-type": "application/json" }, body })
      .catch(() => {}) // it was answered in opencode meanwhile

  return {
    "chat.message": async (input, output) => {
      const text = output.parts.filter((part) => part.type === "text" && !part.synthetic).map((part) => part.text)
      prompts.set(input.sessionID, text.join("\n"))
    },
    event: async ({ event }) => {
      const about = event.properties || {}
      const session = about.sessionID || about.info?.id
      switch (event.type) {
        case "permission.asked":
        case "question.asked": {
          if (asks.has(about.id)) break
          const kind = event.type.split(".")[0]
          const child = run(event, directory, {}, (answer) => {
            asks.delete(about.id)
            if (!answer) return
            if (answer.reject) post("/question/{requestID}/reject", about.id)
            else post(`/${kind}/{requestID}/reply`, about.id, answer)
          })
          asks.set(about.id, child)
          break
        }
        case "permission.replied":
        case "question.replied":
        case "question.rejected":
          asks.get(about.requestID)?.kill("SIGTERM")
          break
        case "message.updated":
          if (about.info?.role === "assistant") assistants.add(about.info.id)
          break
        case "message.part.updated": {
          const part = about.part || {}
          if (part.type === "text" && !part.synthetic) {
            let reply = replies.get(part.sessionID)
            if (reply?.message !== part.messageID) replies.set(part.sessionID, (reply = { message: part.messageID, parts: new Map() }))
            reply.parts.set(part.id, part.text)
          }
          if (part.type === "tool" && part.state?.status === "running" && !tools.has(part.callID)) {
            tools.add(part.callID)
            const properties = { sessionID: part.sessionID, tool: part.tool, input: part.state.input }
            run({ type: "tool.started", properties }, directory)
          }
          break
        }
        case "session.status":
          if (about.status?.type === "retry") run(event, directory)
          if (about.status?.type !== "busy" || busy.has(session)) break
          busy.add(session)
          run(event, directory, { text: prompts.get(session) || "" })
          break
        case "session.error":
          busy.delete(session)
          run(event, directory, { text: lastWords(session) })
          break
        case "session.idle":
          if (!busy.delete(session) || turns.has(session)) break // it comes twice after an interruption
          tools.clear()
          turns.set(
            session,
            run(event, directory, { text: lastWords(session) }, (answer) => {
              turns.delete(session)
              if (!answer?.prompt) return
              const body = { parts: [{ type: "text", text: answer.prompt }] }
              client.session.promptAsync({ path: { id: session }, body }).catch(() => {})
            }),
          )
          break
        case "session.created":
          if (about.info?.parentID) parents.set(session, about.info.parentID)
          run(event, directory)
          break
        case "session.deleted":
          run(event, directory)
          break
      }
    },
  }
}
