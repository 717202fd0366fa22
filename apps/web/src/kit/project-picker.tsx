import { pickProjects } from '@zhugong/contract/organisation/projects'
import { type ReactNode, useState } from 'react'
import { useCall } from './call.ts'
import { ChooseFirst } from './choose-first.tsx'
import { showFailure } from './http.ts'
import { switchScope } from './me.ts'

const none: readonly string[] = []

/** Shown by a page that needs one project while all projects are chosen: the user picks one, instead of an error. `first`: these stand first. */
export function ProjectPicker({ why, actions, first = none }: { why: string; actions?: ReactNode; first?: readonly string[] }) {
  const [name, setName] = useState('')
  const read = useCall(pickProjects, { query: { page: 1, size: 100, name: name || undefined } }, { quiet: true, keepPrevious: true })
  const enter = (projectCode: string, projectName: string) => void switchScope({ projectCode, projectName }).catch(showFailure)
  return (
    <ChooseFirst
      thing="项目"
      why={why}
      actions={actions}
      hint="您的管辖范围内没有这样的项目"
      read={{ ...read, data: read.data && { list: lastUsedFirst(read.data.list, first) } }}
      onSearch={setName}
      line={(p) => ({ key: p.projectCode, name: p.name, remark: `${p.areaName} · ${p.projectCode}` })}
      verb="进入"
      onChoose={(p) => enter(p.projectCode, p.name)}
    />
  )
}

const lastUsedFirst = <P extends { projectCode: string }>(list: readonly P[], first: readonly string[]): P[] => {
  const rank = ({ projectCode }: P) => (first.includes(projectCode) ? first.indexOf(projectCode) : first.length)
  return list.toSorted((a, b) => rank(a) - rank(b))
}
