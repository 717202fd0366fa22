import { z } from 'zod'

export interface MenuNode {
  id: string
  name: string
  title: string
  menuType: 'MENU' | 'DIR'
  /** The page it opens; only for type MENU. */
  path?: string
  icon?: string
  /** The permission code that opens the page. */
  code?: string
  /** Codes of the page's buttons that the user has. */
  operator: string[]
  /** Paths reached from this page (details, edits), which mark its entry as active. */
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
