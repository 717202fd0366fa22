import { CloseOutlined, SearchOutlined } from '@ant-design/icons'
import { Input } from 'antd'
import { useEffect, useState } from 'react'

export function FilterTag({ title, words, onRemove }: { title: string; words: string; onRemove: () => void }) {
  return (
    <span className="tag">
      <span title={words}>
        {title}：{words}
      </span>
      <button type="button" className="zg-bare" aria-label={`移除筛选 ${title}`} onClick={onRemove}>
        <CloseOutlined style={{ fontSize: 10 }} />
      </button>
    </span>
  )
}

export function QuickSearch({
  placeholder,
  value,
  onSearch,
}: {
  placeholder: string
  value: string | undefined
  onSearch: (value: string | undefined) => void
}) {
  const [word, setWord] = useState(value ?? '')
  useEffect(() => setWord(value ?? ''), [value])
  return (
    <Input
      style={{ width: 190, marginRight: 8 }}
      prefix={<SearchOutlined />}
      allowClear
      maxLength={50}
      placeholder={placeholder}
      aria-label={placeholder}
      value={word}
      onChange={(event) => {
        setWord(event.target.value)
        if (event.target.value === '') onSearch(undefined)
      }}
      onPressEnter={() => onSearch(word.trim() || undefined)}
    />
  )
}
