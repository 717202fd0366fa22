/** Owner of a wall, if it is not the user's own group. */
export interface Whose {
  projectCode?: string
  corpCode?: string
  govCode?: string
}
