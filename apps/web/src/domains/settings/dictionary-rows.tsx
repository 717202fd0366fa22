import { ArrowDownOutlined, ArrowUpOutlined, PlusOutlined } from '@ant-design/icons'
import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import type { getOwnDictionary } from '@zhugong/contract/settings/own-dictionaries'
import { Button, Input, Switch } from 'antd'
import { useState } from 'react'
import { Card, Tag } from '#kit/feedback.tsx'
import { Choice } from '#kit/inputs.tsx'
import { type DraftRow, moved } from './dictionary-draft.ts'

interface RowsProps {
  dictionary: OutputFor<typeof getOwnDictionary>
  rows: readonly DraftRow[]
  onChange: (rows: DraftRow[]) => void
}
/** Maximum number of rows; others are found by search. */
const mostShown = 120

/** Entries of one dictionary: order, disabled entries, and own entries. */
export function DictionaryRows({ dictionary, rows, onChange }: RowsProps) {
  const [wanted, setWanted] = useState('')
  const found = rows.filter((row) => !wanted || row.name.includes(wanted) || row.code?.includes(wanted))
  const shown = found.slice(0, mostShown)
  const tops = rows.flatMap(({ code, name, parent }) => (code !== null && parent === null ? [{ value: code, label: name }] : []))
  const isTree = rows.some(({ parent }) => parent !== null)
  const change = (key: string, to: Partial<DraftRow>) => onChange(rows.map((row) => (row.key === key ? { ...row, ...to } : row)))
  const add = () =>
    onChange([
      ...rows,
      { key: `new${rows.length}`, code: null, name: '', parent: null, fromName: null, own: true, off: false, offBy: null },
    ])
  return (
    <Card
      title={dictionary.title}
      remark={`${rows.length} 项${found.length > mostShown ? `，列出前 ${mostShown} 项` : ''}；${
        dictionary.open ? '可增加自有条目' : '参与计算或上报，不能增加条目，可调整顺序和停用'
      }`}
      actions={
        <>
          <code>{dictionary.code}</code>
          <Input allowClear placeholder="条目" aria-label="搜索条目" onChange={(event) => setWanted(event.target.value.trim())} />
          {dictionary.open && (
            <Button icon={<PlusOutlined />} onClick={add}>
              增加条目
            </Button>
          )}
        </>
      }
      flush
    >
      <div className="set-scroll">
        <table className="set-table">
          <thead>
            <tr>
              {['编码', '名称', ...(isTree ? ['上级'] : []), '来源', '可选', '顺序'].map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row, i) => (
              <tr key={row.key}>
                <td>{row.code ?? '保存后生成'}</td>
                <td>
                  {row.own ? (
                    <Input
                      value={row.name}
                      maxLength={30}
                      aria-label={`第 ${i + 1} 项名称`}
                      onChange={(event) => change(row.key, { name: event.target.value })}
                    />
                  ) : (
                    row.name
                  )}
                </td>
                {isTree && (
                  <td>
                    {row.code === null ? (
                      <Choice
                        aria-label={`第 ${i + 1} 项上级`}
                        value={row.parent}
                        options={tops}
                        onChange={(parent) => change(row.key, { parent: parent ?? null })}
                      />
                    ) : (
                      (tops.find(({ value }) => value === row.parent)?.label ?? row.parent ?? '--')
                    )}
                  </td>
                )}
                <td>{row.own ? <Tag tone="running">本组</Tag> : (row.fromName ?? '标准')}</td>
                <td>
                  <Switch
                    size="small"
                    checked={!row.off}
                    disabled={row.offBy !== null}
                    aria-label={`${row.name || `第 ${i + 1} 项`}可选`}
                    onChange={(on) => change(row.key, { off: !on })}
                  />
                  {row.offBy && <span className="zg-2"> 由{row.offBy}停用</span>}
                </td>
                <td className="zg-nowrap">
                  <Button
                    type="text"
                    size="small"
                    icon={<ArrowUpOutlined />}
                    aria-label={`上移 ${row.name}`}
                    disabled={i === 0 || wanted !== ''}
                    onClick={() => onChange(moved(rows, row.key, -1))}
                  />
                  <Button
                    type="text"
                    size="small"
                    icon={<ArrowDownOutlined />}
                    aria-label={`下移 ${row.name}`}
                    disabled={i === rows.length - 1 || wanted !== ''}
                    onClick={() => onChange(moved(rows, row.key, 1))}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  )
}
