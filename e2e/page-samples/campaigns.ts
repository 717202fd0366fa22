import { first, type Samples } from '../first-record.ts'

const path = '/api/v1/oa/process/provinces'
const plan = first(`${path}?projectCode=*&size=20`, 'id', 'planId')

interface Listed {
  list: { id: string; taskId: string }[]
}
/** A project of the first campaign that has one. */
const task: Samples[string] = async (api) => {
  const { list } = await api.get<Listed>(`${path}?projectCode=*&size=20`)
  for (const { id } of list) {
    const checks = await api.get<Listed>(`${path}/checks?projectCode=*&size=20&planId=${id}`)
    const [one] = checks.list
    if (one) return `?taskId=${one.taskId}`
  }
  return undefined
}

export const samples: Samples = {
  '/jgt/provinces/addProject': plan,
  '/jgt/provinces/checkList': plan,
  '/jgt/provinces/checkResult': task,
  '/jgt/provinces/project/momomerCheck': task,
  '/jgt/provinces/project/projectDetails': task,
}
