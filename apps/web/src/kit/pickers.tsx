import { Cascader, DatePicker, TimePicker, TreeSelect } from 'antd'
import { useAreaTree } from './area-tree.ts'
import type { Control, DateProps, TreeChoiceProps } from './control.ts'
import { dayjs } from './dates.ts'
import { type TreeOption, treePath } from './list-state.ts'

/** The large controls of inputs.tsx, loaded on demand. */

const wide = { width: '100%' }
const onDay = (value: string | null | undefined, format: string) => (value ? dayjs(value, format) : null)

export function DateControl({
  value,
  onChange,
  min,
  max,
  format,
  ...rest
}: DateProps & { picker: 'date' | 'month' | 'year'; format: string; showTime?: boolean }) {
  return (
    <DatePicker
      {...rest}
      style={wide}
      format={format}
      value={onDay(value, format)}
      minDate={min ? dayjs(min) : undefined}
      maxDate={max ? dayjs(max) : undefined}
      onChange={(at) => onChange?.(at ? at.format(format) : undefined)}
    />
  )
}
export function ClockControl({ value, onChange, ...rest }: Control<string>) {
  return (
    <TimePicker
      {...rest}
      style={wide}
      format="HH:mm"
      value={onDay(value, 'HH:mm')}
      onChange={(at) => onChange?.(at ? at.format('HH:mm') : undefined)}
    />
  )
}

export function TreeControl({ value, onChange, tree, ...rest }: TreeChoiceProps) {
  return (
    <TreeSelect
      {...rest}
      style={wide}
      allowClear
      showSearch={{ treeNodeFilterProp: 'label' }}
      treeData={tree as TreeOption[]}
      value={value ?? null}
      onChange={(next: string | null) => onChange?.(next ?? undefined)}
    />
  )
}

export function AreaControl({ value, onChange, ...rest }: Control<string>) {
  const tree = useAreaTree(true)
  return (
    <Cascader
      {...rest}
      style={wide}
      options={tree as TreeOption[]}
      changeOnSelect
      showSearch
      value={value ? (treePath(tree, value) ?? []) : []}
      onChange={(path) => onChange?.(path?.length ? String(path.at(-1)) : undefined)}
    />
  )
}
