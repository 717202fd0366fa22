import { permissionName } from '@zhugong/contract/access/codes'
import { Card, Empty } from '#kit/feedback.tsx'
import { PageDrawer } from '#kit/overlay.tsx'
import type { Role } from './role-words.ts'
import './access.css'

/** Compares two roles side by side: shows the codes that only one of them has. */
export function CompareDrawer({ roles: [left, right], onClose }: { roles: readonly Role[]; onClose: () => void }) {
  if (!left || !right) return null
  const both = left.codes.filter((code) => right.codes.includes(code)).length
  const sides = [
    { own: left, other: right },
    { own: right, other: left },
  ]
  return (
    <PageDrawer open title={`比较 ${left.name} 与 ${right.name}`} onClose={onClose}>
      <p>两者共有 {both} 项权限；以下是只有一方有的。</p>
      <div className="acc-compare">
        {sides.map(({ own, other }) => {
          const only = own.codes.filter((code) => !other.codes.includes(code))
          return (
            <Card key={own.id} title={`只有 ${own.name}`} remark={`${only.length} 项`}>
              {only.length === 0 && <Empty small text="没有" />}
              <ul className="acc-list">
                {only.map((code) => (
                  <li key={code}>
                    {permissionName(code)}
                    <span className="acc-code">{code}</span>
                  </li>
                ))}
              </ul>
            </Card>
          )
        })}
      </div>
    </PageDrawer>
  )
}
