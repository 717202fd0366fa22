interface TodoSnoozeTable {
  userId: string
  groupId: string
  taskId: string
  until: Date
}

declare module '#kit/db' {
  interface Tables {
    todoSnooze: TodoSnoozeTable
  }
}
