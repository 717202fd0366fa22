import { menuTabs } from '@zhugong/contract/access/menus'
import { Select } from 'antd'
import type { Control } from '#kit/control.ts'
import { MenuDrawing } from '#kit/menu-icon.tsx'

const icons = [...new Set(menuTabs.flatMap((tab) => [tab.icon, ...tab.entries.map((entry) => entry.icon)]))]

/** Selects one of the built-in icons. */
export function IconInput({ value, onChange, ...rest }: Control<string>) {
  return (
    <Select
      {...rest}
      className="apps-wide"
      value={value ?? null}
      options={icons.map((icon) => ({ value: icon, label: icon }))}
      optionRender={({ value: icon }) => <MenuDrawing name={String(icon)} />}
      labelRender={({ value: icon }) => <MenuDrawing name={String(icon)} />}
      onChange={(next: string) => onChange?.(next)}
    />
  )
}
