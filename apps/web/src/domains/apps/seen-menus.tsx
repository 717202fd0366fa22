import type { SeenMenu } from '@zhugong/contract/apps/menu-endpoints'
import './apps.css'

/** Menus as a user sees them: one card per module with its entries. */
export function SeenMenus({ menus }: { menus: readonly SeenMenu[] }) {
  return (
    <div className="apps-cards">
      {menus
        .filter((menu) => menu.depth === 0)
        .map((tab) => (
          <div key={tab.id} className="apps-card">
            <b>{tab.title}</b>
            <span className="zg-2">{below(menus, tab.id).join('、')}</span>
          </div>
        ))}
    </div>
  )
}

/** Titles of the entries up to the next module. */
function below(menus: readonly SeenMenu[], id: string): string[] {
  const from = menus.findIndex((menu) => menu.id === id) + 1
  const to = menus.findIndex((menu, i) => i >= from && menu.depth === 0)
  return menus.slice(from, to === -1 ? undefined : to).map((menu) => menu.title)
}
