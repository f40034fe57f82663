/** A few sentences on each endpoint, for people. */

const actions =
  'A repetition changes nothing and records nothing. GET acts because the interface says so, but not for a prefetch; POST does the same and is what we recommend.'

/** The notes by method and path, as in the table. */
export const notes: Readonly<Record<string, string>> = {
  'POST users':
    'Attaches a new user, who can log in, to an account. The answer is the user in state `passive`; the password is never returned, and `crypted_password` cannot be cracked without the server secret. Emails and logins share one space of names across the service, whatever their case; a login that contains `@` must be the same user’s email. `external_id` in the query gives the user an id of your own at once.',
  'GET users': 'All users in reach, by id. With `login` or `email` it is the same list narrowed to the one who bears that name, or empty.',
  'GET users/{user_id}': 'A deleted user is not found.',
  'GET users/{user_id}/abilities':
    'All abilities defined for the user, ordered by scope type and id. What the owner of an account may do without any ability is not listed. The `ETag` stands for the set: send it as `If-Match` with an update that is based on it.',
  'PUT users/{user_id}/abilities':
    'Replaces the user’s abilities by the submitted list, or adds to them with `merge`, or takes from them with `remove`. The answer is the full set that results. It is all or nothing: one entry at fault, and nothing changes. At most 1,000 entries at once, 10,000 held. With `dry_run` the answer tells, beside the set that would result, what would be `added` and `removed`. With `If-Match`, the `ETag` of an earlier answer, the update is refused with 412 when the set is not what it was.',
  'GET users/{user_id}/access':
    'Whether the user can open the account, business or site now, and why: as the owner of the account, by an ability on it, by one on what stands above it, or not at all. What keeps a user out in spite of that is listed as well: a suspended user, a deactivated business.',
  'POST businesses':
    'Creates an active business. Without `account_id` it belongs to the partner account that the key identifies. `POST /businesses` is the same endpoint. `external_id` in the query gives the business an id of your own at once.',
  'PUT businesses':
    'Creates the business that you call `external_id`, or gives it another name where there is one: 201 or 200. The account is chosen at creation and stays; naming another one is refused. Send it as often as you like.',
  'GET businesses': 'All businesses in reach, by id, the deactivated ones too.',
  'GET businesses/{business_id}': 'The business, whatever its state.',
  'GET businesses/{business_id}/deactivate': actions,
  'POST businesses/{business_id}/deactivate':
    'A repetition changes nothing and records nothing. The data of the business stays in the reports.',
  'GET businesses/{business_id}/reactivate': actions,
  'POST businesses/{business_id}/reactivate': 'A repetition changes nothing and records nothing.',
  'GET accounts': 'The accounts that the partner manages, by id; the partner account is one of them.',
  'GET sites': 'The sites of all managed accounts, by id.',
  'GET keys':
    'This key and those that were issued with it, by id, with their last use. What is secret of them is shown once, when they are made.',
  'POST keys':
    'Issues a key with some of the scopes and accounts of this one. It can never issue keys itself and does not outlive the key it comes from. A key that is limited to accounts finds nothing else anywhere: other accounts are as absent as those of other partners.',
  'GET keys/{key_id}': 'The key, without what is secret of it.',
  'POST keys/{key_id}/rotate':
    'A new key like the old one; the old one lives on for a while, so that clients can change over. What the old one has issued belongs to the new one. 409 when it is no longer valid.',
  'DELETE keys/{key_id}':
    'From the moment this is answered no request is served with the key, nor with any that was issued with it. A key may end itself. A repetition changes nothing.',
  'GET usage':
    'The last 31 days, or those from `start_date` to `end_date`, the newest first; days on which nothing happened are left out. Days are counted in UTC and kept for 400. A request counts once it is answered, and is added to the figures within some seconds; when a process of the service crashes, what it counted in its last seconds is lost. Requests without a valid key and password are not counted. `records` tells what was taken in by pushes, uploads and imports, also by the operator on your behalf. A key that is limited to accounts learns only what was done with that key. The limits are those of the partner, over all its keys.',
  'POST bulk':
    'Up to 1,000 operations, each of which creates a record or, with `id`, changes one, by the rules of its own address. Each is answered by its place: with its id, or with what is wrong. Operations are done by themselves and do not wait for each other, so one must not need what another one makes; with `atomic` all are done in one transaction or none is. A repeat with the same Idempotency-Key does what is left and nothing twice, even where the first request was cut off. Each operation counts as a write of the rate limit: the request begins while one write is left, and what it took beyond the limit is waited for before the next write is let in. People take longest, about 30 milliseconds each: what is not reached within a minute is answered with 503 and may be repeated.',
  'GET seo_report':
    'Accounts, sites and competitors by id, keywords by phrase, backlinks by the day they were found, rankings by time. Dates are inclusive days in UTC: rankings are filtered by `ranked_at`, backlinks by `found_on`; each single figure is the latest known on `end_date`, or the latest of all without one. Where nothing was measured a figure is 0, and `domain_authority` is null. `If-None-Match` with the `ETag` of an earlier answer costs almost nothing. The key alone suffices, unless the partner has switched that off.',
  'GET accounts/{account_id}/reputation_report/detail':
    'The reviews of the account’s sites, page by page. Dates filter the reviews; what is emptied by them stays. Sites without a location are left out. The key alone suffices, unless the partner has switched that off.',
  'GET accounts/{account_id}/reputation_report/counts':
    'The number of reviews and the sum of their ratings, day by day and page by page, of the account’s sites and of their competitors. Dates filter the counts. The key alone suffices, unless the partner has switched that off.',
  'POST observations':
    'Takes in what was measured, as a JSON array or as one JSON object a line. Each record is stored or refused by itself; with `atomic` all are stored or none. A record with the same natural key as one that is known replaces its figures, so a push may be repeated.',
  'POST intakes':
    'Takes a file of records, as NDJSON, a JSON array or CSV, compressed with gzip or not, and answers once the file is safe on the disk. It is then stored in the background, one file of a partner after the other: everything is checked first, and a single line at fault leaves nothing stored. `GET` the address in `Location` to see how far it has come. At most 10 may wait.',
  'GET intakes': 'Every import, push and upload of the partner, by id, for as long as it can be undone.',
  'GET intakes/{intake_id}':
    'How far it has come, what it did by kind of record, and the first hundred faults. `interrupted` means that the file was lost with the disk it lay on: send it again.',
  'DELETE intakes/{intake_id}':
    'Cancels an upload that has not ended: one that waits at once, one that is being stored after what it stored has been taken back. What has ended is refused with 409; undo it instead. A repetition changes nothing.',
  'POST intakes/{intake_id}/undo':
    'Takes back in the background what the intake created, and restores what it changed. What something else has changed since is left alone and listed. A repetition changes nothing.',
  'PUT users/{user_id}':
    'Changes what is given and leaves the rest. Another password ends open sessions; old names are free for others. Who moves to another account no longer owns the one they left. A repetition changes nothing.',
  'DELETE users/{user_id}':
    'The user can no longer log in, loses abilities and ownership, and is not found from now on; login and email stay reserved. The answer is the user, deleted.',
  'POST users/{user_id}/suspend': 'The user cannot log in until unsuspended; open sessions end. A repetition changes nothing.',
  'POST users/{user_id}/unsuspend': 'Back to `active`, or to `passive` where the user never logged in. A repetition changes nothing.',
  'POST users/{user_id}/login_link':
    'A link that lets the user in once, without a password. It needs a key with the scope `login_link`. A suspended user is refused with 409.',
  'PUT businesses/{business_id}': 'Gives the business another name. A repetition changes nothing.',
  'POST accounts': 'Creates an account that the partner manages.',
  'GET accounts/{account_id}': 'The account with its owner.',
  'PUT accounts/{account_id}': 'Gives the account another name. A repetition changes nothing.',
  'PUT accounts/{account_id}/owner': 'Makes a user of the account its owner, in place of whoever was.',
  'DELETE accounts/{account_id}/owner': 'The account has no owner from now on. A repetition changes nothing.',
  'POST sites': 'Attaches a domain to a business. The reports of its account list the site from now on.',
  'GET sites/{site_id}': 'The site.',
  'PUT sites/{site_id}': 'Gives the site another domain, or another business of the same account. Only what is given is changed.',
  'DELETE sites/{site_id}':
    'Removes the site with everything that was measured of it and its competitors, the abilities on it and the links to it. There is no way back. The answer is the site as it was.',
  'GET sites/{site_id}/keywords': 'The phrases whose rankings are tracked for the site itself, by id.',
  'POST sites/{site_id}/keywords':
    'Adds up to 1,000 phrases, all or none. Those that are tracked already are answered as they are, so the request may be repeated.',
  'GET sites/{site_id}/keywords/{keyword_id}': 'The keyword.',
  'DELETE sites/{site_id}/keywords/{keyword_id}': 'Removes the keyword with all its rankings. The answer is the keyword as it was.',
  'GET sites/{site_id}/competitors': 'The competitors of the site, by id; the reports know them by the same ids and domains.',
  'POST sites/{site_id}/competitors':
    'Adds up to 1,000 domains, all or none. Those that are known already are answered as they are, so the request may be repeated.',
  'GET sites/{site_id}/competitors/{competitor_id}': 'The competitor.',
  'DELETE sites/{site_id}/competitors/{competitor_id}':
    'Removes the competitor with everything that was measured of it. The answer is the competitor as it was.',
  'GET sites/{site_id}/pages': 'The pages on which the site and its competitors are reviewed, by id.',
  'POST sites/{site_id}/pages':
    'Up to 1,000 at once, of the site itself or, with `competitor_id`, of one of its competitors. Pages that are there already stay as they are. Where the site has no location, its first page makes one. The answer lists all pages of the request.',
  'GET sites/{site_id}/pages/{page_id}': 'The page.',
  'DELETE sites/{site_id}/pages/{page_id}': 'Removes the page with its reviews and counts. The answer is the page as it was.',
  'GET accounts/{account_id}/external_id': 'The id by which you know the account in your own system; null when none was set.',
  'PUT accounts/{account_id}/external_id':
    'Sets the id by which you know the account, unique among your accounts; an empty one takes it away. `GET /api/accounts?external_id=` finds it by that id.',
  'GET users/{user_id}/external_id': 'The id by which you know the user in your own system; null when none was set.',
  'PUT users/{user_id}/external_id':
    'Sets the id by which you know the user, unique among your users; an empty one takes it away. `GET /api/users?external_id=` finds it by that id.',
  'GET businesses/{business_id}/external_id': 'The id by which you know the business in your own system; null when none was set.',
  'PUT businesses/{business_id}/external_id':
    'Sets the id by which you know the business, unique among your businesses; an empty one takes it away. `GET /api/businesses?external_id=` finds it by that id.',
  'GET sites/{site_id}/external_id': 'The id by which you know the site in your own system; null when none was set.',
  'PUT sites/{site_id}/external_id':
    'Sets the id by which you know the site, unique among your sites; an empty one takes it away. `GET /api/sites?external_id=` finds it by that id.',
  'GET sites/{site_id}/pages/{page_id}/reviews':
    'The reviews of the page, by date and then by id, as the detail report lists them; days narrow the list. A page of the list holds at most 100 reviews, and fewer where their texts are long.',
  'GET sites/{site_id}/pages/{page_id}/reviews/{review_id}':
    'The review; the detail report knows it by the same id. Of a reviewer who was erased only the figures are left.',
  'GET locations': 'The locations of all sites in reach, by id; `site_id` narrows the list to the location of one site.',
  'POST locations':
    'Up to 1,000 at once. A site has at most one location: sites that have one keep it as it is. The reputation reports list the sites from now on. The answer lists the locations of all sites of the request.',
  'GET locations/{location_id}': 'The location; the reputation reports know it by the same id.',
  'PUT locations/{location_id}':
    'Changes what is given and leaves the rest; an empty text takes a page away. A repetition changes nothing.',
  'DELETE locations/{location_id}':
    'Removes a location on which no pages hang, neither of the site nor of its competitors; otherwise it is refused with 409. The reputation reports leave the site out from now on. The answer is the location as it was.',
  'GET annotations': 'The annotations of all sites in reach, by id.',
  'POST annotations': 'Pins a sentence to a day: the charts of the site mark the day and show it. At most 500 for a site.',
  'GET annotations/{annotation_id}': 'The annotation.',
  'DELETE annotations/{annotation_id}': 'Takes the annotation off the charts. The answer is the annotation as it was.',
  'GET accounts/{account_id}/schedules': 'The schedules of the account, by id; at most ten. One that lists no sites is about every site.',
  'POST accounts/{account_id}/schedules':
    'Mails a summary of the sites each week or month, with charts inside and a PDF attached. Users of the account get it at once; everybody else is asked to confirm first, and each mail can be unsubscribed with one click. The first mail is about the first period that ends from now on.',
  'GET accounts/{account_id}/schedules/{schedule_id}': 'The schedule, with what each recipient has said.',
  'PUT accounts/{account_id}/schedules/{schedule_id}':
    'Only what is given is changed. Recipients who are on the list already stay as they are, unsubscribed ones too; new ones are treated as at creation.',
  'DELETE accounts/{account_id}/schedules/{schedule_id}':
    'No more mail is sent; what is queued already still goes out. The answer is the schedule as it was.',
}
