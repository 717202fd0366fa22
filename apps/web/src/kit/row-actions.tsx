import { DownOutlined } from '@ant-design/icons'
import { Button, Dropdown, type MenuProps, Tooltip } from 'antd'
import { Fragment, type ReactNode } from 'react'
import { Link } from 'react-router'
import { type CallRights, useCanAll } from './can.tsx'
import { textPx } from './table-columns.tsx'

export interface RowAction {
  label: string
  onClick?: () => unknown
  href?: string
  danger?: boolean
  /** Reason why the action is disabled; shown as a tooltip. */
  disabled?: string | false | undefined
  /** Permission: an endpoint or a code. */
  needs?: CallRights | string
}

const more = '更多'
const gapPx = 12
const paddingPx = 20

const visibleOf = (items: readonly RowAction[]) => (items.length > 2 ? items.slice(0, 1) : items)

/** Width of the widest of these rows' actions. */
export function actionsWidth(rows: readonly (readonly RowAction[])[]): number {
  const of = (items: readonly RowAction[]) => {
    const labels = [...visibleOf(items).map((item) => item.label), ...(items.length > 2 ? [more] : [])]
    return labels.reduce((sum, label) => sum + textPx(label) + gapPx, 0)
  }
  return Math.max(64, Math.ceil(Math.max(0, ...rows.map(of)) + paddingPx))
}

const menuOf = (items: readonly RowAction[]): MenuProps => ({
  items: items.map((item) => ({
    key: item.label,
    danger: item.danger ?? false,
    disabled: Boolean(item.disabled),
    title: item.disabled || '',
    label: item.href ? <Link to={item.href}>{item.label}</Link> : item.label,
    onClick: () => void item.onClick?.(),
  })),
})

/** Shows up to two actions in the row, the rest under 更多. */
export function RowActions({ items }: { items: readonly RowAction[] }) {
  const visible = visibleOf(items)
  const rest = items.length > 2 ? items.slice(1) : []
  return (
    <span className="zg-cell-actions">
      {visible.map((item) => (
        <Fragment key={item.label}>{actionControl(item)}</Fragment>
      ))}
      {rest.length > 0 && (
        <Dropdown trigger={['click']} menu={menuOf(rest)}>
          <button type="button" className="zg-bare zg-link">
            {more}
          </button>
        </Dropdown>
      )}
    </span>
  )
}

function actionControl(item: RowAction): ReactNode {
  if (item.href && !item.disabled) return <Link to={item.href}>{item.label}</Link>
  const button = (
    <button
      type="button"
      className={`zg-bare zg-link ${item.danger ? 'zg-link-danger' : ''}`}
      disabled={Boolean(item.disabled)}
      onClick={() => void item.onClick?.()}
    >
      {item.label}
    </button>
  )
  return item.disabled ? <Tooltip title={item.disabled}>{button}</Tooltip> : button
}

/** 更多 in a toolbar, for less frequent actions. */
export function MoreMenu({ items, label = more }: { items: readonly RowAction[]; label?: string }) {
  const mayDo = useCanAll()
  const allowed = items.filter((item) => !item.needs || mayDo(item.needs))
  if (allowed.length === 0) return null
  return (
    <Dropdown trigger={['click']} menu={menuOf(allowed)}>
      <Button>
        {label} <DownOutlined />
      </Button>
    </Dropdown>
  )
}
