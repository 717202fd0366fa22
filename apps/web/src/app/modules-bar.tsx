import { DownOutlined } from '@ant-design/icons'
import type { MenuNode } from '@zhugong/contract/access/menu'
import { useLayoutEffect, useRef, useState } from 'react'
import { FloatingMenu } from '#kit/floating.tsx'

/** The modules of the menu on one line; those that do not fit are under 更多. */
export function ModulesBar({
  menu,
  top,
  onModule,
}: {
  menu: readonly MenuNode[]
  top: MenuNode | undefined
  onModule: (node: MenuNode) => void
}) {
  const line = useRef<HTMLDivElement>(null)
  const [fitting, setFitting] = useState(menu.length)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the widths depend on the modules.
  useLayoutEffect(() => {
    const element = line.current
    if (!element) return
    // Modules that do not fit wrap to a second line, which is hidden.
    const measure = () => {
      const [first, ...others] = element.querySelectorAll<HTMLElement>('.module')
      setFitting(first ? 1 + others.filter((one) => one.offsetTop === first.offsetTop).length : 0)
    }
    const watch = new ResizeObserver(measure)
    watch.observe(element)
    measure()
    return () => watch.disconnect()
  }, [menu])
  const rest = menu.slice(fitting)
  const isInRest = rest.some((node) => node.id === top?.id)
  return (
    <nav className="modules" aria-label="模块">
      <div className="line" ref={line}>
        {menu.map((node, i) => (
          <button
            key={node.id}
            type="button"
            className="zg-bare module"
            aria-current={node.id === top?.id ? true : undefined}
            aria-hidden={i >= fitting || undefined}
            tabIndex={i >= fitting ? -1 : undefined}
            onClick={() => onModule(node)}
          >
            {node.title}
          </button>
        ))}
      </div>
      {rest.length > 0 && (
        <FloatingMenu
          trigger={['click']}
          placement="bottomRight"
          menu={{ items: rest.map((node) => ({ key: node.id, label: node.title, onClick: () => onModule(node) })) }}
        >
          <button type="button" className="zg-bare module" aria-current={isInRest ? true : undefined}>
            {isInRest ? top?.title : '更多'} <DownOutlined style={{ fontSize: 10 }} />
          </button>
        </FloatingMenu>
      )}
    </nav>
  )
}
