import { pickCorporations } from '@zhugong/contract/organisation/corporations'
import { Select } from 'antd'
import { useState } from 'react'
import { useCall } from '#kit/call.ts'

/** Selects a company of the library by name or code. */
export function CorporationInput({ value, onChange, id }: { value?: string; onChange?: (value: string | undefined) => void; id?: string }) {
  const [name, setName] = useState('')
  const { data, isFetching } = useCall(pickCorporations, { query: name ? { name } : {} }, { quiet: true, keepPrevious: true })
  return (
    <Select
      id={id || undefined}
      className="zg-w-all"
      allowClear
      loading={isFetching}
      placeholder="企业名称"
      showSearch={{ filterOption: false, onSearch: (text: string) => setName(text.trim().slice(0, 50)) }}
      value={value ?? null}
      options={(data?.list ?? []).map((c) => ({ value: c.code, label: c.name }))}
      onChange={(next: string | null) => onChange?.(next ?? undefined)}
    />
  )
}
