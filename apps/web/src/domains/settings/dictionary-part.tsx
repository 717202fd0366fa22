import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { dictsByCode, dictTree } from '@zhugong/contract/settings/endpoints'
import {
  getOwnDictionary,
  isOpenDictionary,
  openDictionaries,
  resetOwnDictionary,
  saveOwnDictionary,
} from '@zhugong/contract/settings/own-dictionaries'
import { Button, Input } from 'antd'
import { type ReactNode, useState } from 'react'
import { refresh, useAct, useCall } from '#kit/call.ts'
import { DetailSkeleton, ErrorPanel } from '#kit/feedback.tsx'
import { hrefOf, useGo, usePageParam } from '#kit/page.tsx'
import { SettingsPage } from '#kit/settings-shell.tsx'
import { SidePanel } from '#kit/side-panel.tsx'
import { ChangeLog } from './change-log.tsx'
import { draftDifferences, draftOf, wishOf } from './dictionary-draft.ts'
import { DictionaryRows } from './dictionary-rows.tsx'

const mostListed = 60

/** Dictionaries of the group: own entries, their order, and disabled ones. */
export function DictionaryPart({ choice }: { choice: ReactNode }) {
  const code = usePageParam('code') || openDictionaries[0]
  const { data, error, refetch } = useCall(getOwnDictionary, { query: { featCode: code } }, { quiet: true, staleMs: 0 })
  if (error) return <ErrorPanel error={error} retry={refetch} />
  if (!data) return <DetailSkeleton />
  return <Editor key={`${data.code} ${data.version}`} dictionary={data} choice={choice} />
}

type Dictionary = OutputFor<typeof getOwnDictionary>

function Editor({ dictionary, choice }: { dictionary: Dictionary; choice: ReactNode }) {
  const { code, items, ordered, version } = dictionary
  const [rows, setRows] = useState(() => draftOf(items))
  const onDone = () => refresh(dictsByCode, dictTree, getOwnDictionary)
  const save = useAct(saveOwnDictionary, { success: '字典已保存，新开的选择框按此显示', onDone })
  const reset = useAct(resetOwnDictionary, { success: '已恢复默认', onDone })
  const isChanged = version > 0
  const unnamed = rows.some((row) => row.own && row.name.trim() === '')
  return (
    <SettingsPage
      title="系统设置"
      remark="用于本组和下级机构；标准编码与名称随版本交付，不能修改"
      last={{ by: dictionary.updateBy, at: dictionary.updateTime }}
      lock={undefined}
      above={undefined}
      differences={draftDifferences(items, rows)}
      fault={unnamed ? '有条目没有名称' : undefined}
      saving={save.running}
      onSave={() => save.run({ body: { featCode: code, ...wishOf(items, rows, ordered), version } })}
      onUndo={() => setRows(draftOf(items))}
      actions={
        <>
          {choice}
          {isChanged && (
            <Button
              onClick={() =>
                void reset.afterRequesting(
                  {
                    thing: `${dictionary.title}恢复默认`,
                    consequence: '顺序和停用按上级与产品交付；本组自有条目停用，已使用处仍显示名称。',
                    verb: '恢复默认',
                    keep: '保留现状',
                  },
                  { body: { featCode: code, version } },
                )
              }
            >
              恢复默认
            </Button>
          )}
        </>
      }
    >
      <div className="set-dictionaries">
        <Listed code={code} />
        <div>
          <DictionaryRows dictionary={dictionary} rows={rows} onChange={setRows} />
          <ChangeLog history={dictionary.history} />
        </div>
      </div>
    </SettingsPage>
  )
}

/** List of dictionaries; those that accept own entries come first. */
function Listed({ code }: { code: string }) {
  const go = useGo()
  const [name, setName] = useState('')
  const { data } = useCall(dictTree, { query: { name: name || undefined } }, { quiet: true, keepPrevious: true })
  const found = (data ?? []).toSorted((a, b) => Number(isOpenDictionary(b.code)) - Number(isOpenDictionary(a.code)))
  return (
    <div className="set-dictionary-list">
      <Input
        allowClear
        placeholder="字典名称或编码"
        aria-label="搜索字典"
        maxLength={50}
        onChange={(event) => setName(event.target.value.trim())}
      />
      <SidePanel
        title={found.length > mostListed ? `共 ${found.length} 部，列出 ${mostListed} 部` : `${found.length} 部字典`}
        selected={code}
        onSelect={(key) => go(hrefOf('/system/set', { part: 'dictionary', code: key }))}
        nodes={found.slice(0, mostListed).map((one) => ({ key: one.code, title: one.title, count: one.items.length }))}
      />
    </div>
  )
}
