import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { ref } from '../kit/fields.ts'

const person = z.object({
  userId: z.string(),
  name: z.string(),
  account: z.string(),
  /** The person's departments, with all departments above them. */
  orgIds: z.array(z.string()),
  orgNames: z.array(z.string()),
  posts: z.array(z.string()),
  roleIds: z.array(z.string()),
  roleNames: z.array(z.string()),
  corps: z.array(z.string()),
  /** Whether the person's roles have any code of the app: without one, being in the range has no effect. */
  holds: z.boolean(),
  /** The last day on which the person opened the app. */
  lastUsed: z.string().nullable(),
})
export type RangePerson = z.infer<typeof person>
/** Everybody of a group with the facts that a range is evaluated on, and the companies of a site. An addition to the original API. */
export const rangePeople = endpoint({
  method: 'GET',
  path: '/api/v1/sys/grant/range/people',
  summary: '应用范围内的人员',
  needs: 'appRange.edit',
  query: z.object({ groupId: ref('group'), appId: ref('app').optional() }),
  response: z.object({
    people: z.array(person),
    orgs: z.array(z.object({ id: z.string(), name: z.string(), parentId: z.string().nullable() })),
    roles: z.array(z.object({ id: z.string(), name: z.string() })),
    posts: z.array(z.string()),
    units: z.array(z.object({ corpCode: z.string(), name: z.string(), part: z.string() })),
  }),
})
