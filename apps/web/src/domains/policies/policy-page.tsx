import { openPolicies } from '@zhugong/contract/policies/policies'
import { useSearchParams } from 'react-router'
import { useCall } from '#kit/call.ts'
import { useMe } from '#kit/me.ts'
import { addressOf, PolicyReader, queryOf, searchOf } from './reader.tsx'

/** Public page: which rule is in force on this subject? Readable without an account, also on a phone. */
export default function PolicyPage() {
  const [params, setParams] = useSearchParams()
  const search = searchOf(params)
  const read = useCall(openPolicies, { query: queryOf(search) }, { quiet: true, keepPrevious: true })
  const profile = useMe((me) => me.settings)
  const hrefOf = (id: string) => `/policy?id=${encodeURIComponent(id)}`
  return (
    <main className="policy-public">
      <header>
        <strong>{profile?.mainHead ?? ''}</strong>
        <h1>政策汇编</h1>
      </header>
      <PolicyReader search={search} onSearch={(next) => setParams(addressOf(next))} read={read} hrefOf={hrefOf} />
    </main>
  )
}
