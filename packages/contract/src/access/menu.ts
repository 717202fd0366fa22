import { z } from 'zod'

export interface MenuNode {
  id: string
  name: string
  title: string
  menuType: 'MENU' | 'DIR'
  /** Only on a MENU: the page it opens. */
  path?: string
  icon?: string
  /** The permission code that opens the page. */
  code?: string
  /** The codes of the page's buttons the user holds. */
  operator: string[]
  /** Paths reached from this page that mark it as active (details, edits). */
  relevance: string[]
  children: MenuNode[]
}
export const menuNode: z.ZodType<MenuNode> = z.lazy(() =>
  z.object({
    id: z.string(),
    name: z.string(),
    title: z.string(),
    menuType: z.enum(['MENU', 'DIR']),
    path: z.string().optional(),
    icon: z.string().optional(),
    code: z.string().optional(),
    operator: z.array(z.string()),
    relevance: z.array(z.string()),
    children: z.array(menuNode),
  }),
)
