import { Button, Input, Select } from 'antd'
import { useEffect, useState } from 'react'
import { useDicts } from '#kit/dicts.ts'
import { AreaInput } from '#kit/inputs.tsx'
import type { NavigationList } from './row-acts.tsx'
import { stepOptions } from './step-words.ts'

const typingMs = 250
const chips = [
  { value: 'starred', label: '收藏' },
  { value: 'long', label: '停留超 7 天' },
  { value: 'ready', label: '全部就绪' },
  { value: 'new', label: '本月新开' },
]

/** Search by name or pinyin initials, and filters of the card list; the table has its filters in the column heads. */
export function NavigationFilters({ list }: { list: NavigationList }) {
  const dicts = useDicts('projectState')
  const { filters, setFilter } = list
  const [name, setName] = useState(filters.name ?? '')
  useEffect(() => {
    if (name === (filters.name ?? '')) return
    const timer = setTimeout(() => setFilter('name', name || undefined), typingMs)
    return () => clearTimeout(timer)
  }, [name, filters.name, setFilter])
  const many = (key: 'stuck' | 'prjStatus') => (filters[key] ? filters[key].split(',') : [])
  const given = Object.keys(filters).length > 0
  return (
    <div className="onb-filters" role="search">
      <Input.Search
        allowClear
        aria-label="项目名称或拼音首字母"
        placeholder="名称或拼音首字母，如 bjyy"
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <AreaInput
        aria-label="所在地"
        placeholder="所在地"
        value={filters.areaCode ?? ''}
        onChange={(area) => setFilter('areaCode', area || undefined)}
      />
      <Select
        mode="multiple"
        allowClear
        maxTagCount="responsive"
        aria-label="卡在步骤"
        placeholder="卡在步骤"
        options={stepOptions}
        value={many('stuck')}
        onChange={(keys: string[]) => setFilter('stuck', keys.join(',') || undefined)}
      />
      <Select
        mode="multiple"
        allowClear
        maxTagCount="responsive"
        aria-label="项目状态"
        placeholder="状态"
        options={dicts.options('projectState')}
        value={many('prjStatus')}
        onChange={(codes: string[]) => setFilter('prjStatus', codes.join(',') || undefined)}
      />
      <Select
        allowClear
        aria-label="关注"
        placeholder="关注"
        options={chips}
        value={filters.chip || null}
        onChange={(chip: string | undefined) => setFilter('chip', chip)}
      />
      {given && (
        <Button
          onClick={() => {
            setName('')
            list.clearFilters()
          }}
        >
          清空条件
        </Button>
      )}
    </div>
  )
}
