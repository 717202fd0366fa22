import { Input } from 'antd'
import { type ReactNode, useId } from 'react'
import './access.css'

interface RoleNameProps {
  name: string
  remark: string
  onChange: (part: { name?: string; remark?: string }) => void
  readOnly: boolean
  /** Error message of the name field. */
  fault: string | undefined
  /** Shown between name and purpose. */
  children?: ReactNode
}

/** Name and purpose of a role: inputs, or text for readers without the right to change them. */
export function RoleName({ name, remark, onChange, readOnly, fault, children }: RoleNameProps) {
  const id = useId()
  if (readOnly)
    return (
      <p className="acc-said">
        <b>{name}</b> {remark}
      </p>
    )
  return (
    <>
      <div className="acc-labelled acc-name">
        <label htmlFor={id}>角色名称</label>
        <Input
          id={id}
          maxLength={30}
          value={name}
          status={fault ? 'error' : ''}
          aria-invalid={fault !== undefined}
          onChange={(event) => onChange({ name: event.target.value })}
        />
        {fault && <small className="tone-danger">{fault}</small>}
      </div>
      {children}
      <div className="acc-labelled acc-remark">
        <label htmlFor={`${id}-remark`}>说明</label>
        <Input id={`${id}-remark`} maxLength={200} value={remark} onChange={(event) => onChange({ remark: event.target.value })} />
      </div>
    </>
  )
}
